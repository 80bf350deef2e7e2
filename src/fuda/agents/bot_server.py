"""The bot's side of the protocol for our own agents: `fuda bot serve`."""

import base64
from typing import BinaryIO

import numpy as np

from fuda.agents.agent import Agent
from fuda.bots.protocol import (
    VERSION,
    Act,
    ActMany,
    BotHello,
    Choice,
    End,
    FromBot,
    Hello,
    Moved,
    MovedMany,
    Ping,
    Pong,
    Position,
    Start,
    ToBot,
    Unit,
    decode,
    encode,
)

BATCH = 256  # positions in one message
UNITS: dict[str | None, Unit] = {"points": "points", "probability": "probability"}


class BotServer:
    """Answers for an agent, in any number of matches. It plays as inside: its luck is the arena's."""

    def __init__(self, agent: Agent):
        self.agent = agent
        self._seats: dict[str, tuple[int, np.ndarray]] = {}  # by match: the seat, and its random stream

    def hello(self) -> BotHello:
        """Who the agent is."""
        spec = self.agent.spec
        return BotHello(
            v=VERSION,
            name=self.agent.info.title,
            author="fuda",
            games={spec.id: spec.rules_version},
            batch=BATCH,
            unit=UNITS.get(self.agent.info.unit),
            wants=["bytes"],
        )

    def answer(self, message: ToBot) -> FromBot | None:
        """The answer, if one is due."""
        match message:
            case Hello():
                return self.hello()
            case Ping():
                return Pong(message.id)
            case Act():
                return Moved(id=message.id, **vars(self._choices([message])[0]))
            case ActMany():
                return MovedMany(message.id, self._choices(message.positions))
            case Start():
                self._seats[message.match] = message.seat, np.array([int(message.luck, 16)], np.uint64)
            case End():
                self._seats.pop(message.match, None)
        return None

    def _choices(self, positions: list[Position] | list[Act]) -> list[Choice]:
        spec = self.agent.spec
        content = b"".join(base64.b64decode(position.bytes or "") for position in positions)
        views = np.frombuffer(content, spec.rules.STATE).copy().view(np.recarray)
        found = [self._seats[position.match] for position in positions]
        seats = np.array([seat for seat, _ in found], np.int64)
        rngs = np.concatenate([rng for _, rng in found])
        values = None
        if any(position.values for position in positions):
            values = self.agent.evaluate(views, seats, rngs.copy())  # the moves do not depend on it
        actions = self.agent.act(views, seats, rngs)
        for (_, rng), state in zip(found, rngs, strict=True):
            rng[0] = state
        text = spec.text.move_text
        return [
            Choice(
                move=text(int(action)),
                values={text(move): value for move, value in values[k].items()} if values else None,
            )
            for k, action in enumerate(actions)
        ]


def serve_agent(agent: Agent, questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the questions end."""
    server = BotServer(agent)
    for line in questions:
        answer = server.answer(decode(line, ToBot))
        if answer is not None:
            answers.write(encode(answer))
            answers.flush()
