"""Players from a model folder: networks in ONNX, run by onnxruntime, without torch.

K positions, T tokens, R place rows, P progress rows, M legal actions of all positions.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.move_values import MoveAgent, OnnxMoves
from fuda.agents.network import NetworkAgent, reading
from fuda.agents.rollouts import RolloutAgent
from fuda.agents.scenarios import ScenarioAgent
from fuda.agents.settings import RolloutSetting, ScenarioSetting, settings
from fuda.agents.turn_search import WAITING, TurnSearchAgent
from fuda.agents.words import OnnxNetwork
from fuda.core.bits import spread
from fuda.core.errors import echo
from fuda.core.game import GameSpec
from fuda.core.ragged import Lists
from fuda.core.threads import each, num_cores
from fuda.games import list_games
from fuda.games import spec as find_spec
from fuda.nets.folder import CARD, ModelCard, read_card, read_file

MODELS = Path(__file__).parent.parent / "models"  # those that ship: <game>/<name>/
TOKENS, SCENARIOS, MOVES = "tokens", "scenarios", "moves"  # kinds of players that an encoding may be for
ALONE = (TOKENS, MOVES)  # whose models have one player, without settings
UNITS = ("points", "probability", None)
NOTHING = np.empty((0, 0), np.float32)
CHUNK = 8  # positions in one call: their layers stay in the cache of a core, and calls cost little


def model_folders(game_id: str, root: Path | None = None) -> dict[str, Path]:
    """The shipped models of a game by name."""
    cards = ((root or MODELS) / game_id).glob(f"*/{CARD}")
    return {card.parent.name: card.parent for card in cards}


def model_players(game_id: str) -> dict[str, tuple[Path, str]]:
    """The players of a game's shipped models by name: the folder, and what the name adds to the model's."""
    return {
        name + suffix: (folder, suffix)
        for name, folder in model_folders(game_id).items()
        for suffix in _players(folder)
    }


def model_info(folder: Path, suffix: str = "") -> AgentInfo:
    """What people are told about a model's player, from its card alone."""
    card = read_card(folder)
    setting = _players(folder)[suffix]
    searches = _waits(card) if setting is None else setting.searches
    if suffix:
        has_unit = getattr(setting, "method", "") != "policy"
        return AgentInfo(setting.title, setting.line, card.unit if has_unit else None, searches=searches)
    return AgentInfo(card.title, card.line, card.unit, searches=searches)


def _players(folder: Path) -> dict[str, Any]:
    """The settings of a model's players by what is added to its name.

    A damaged model has one player, which says what is wrong when it is asked for.
    """
    try:
        return _settings(*_check_versions(folder, read_card(folder)))
    except ValueError:
        return {"": None}


def _settings(spec: GameSpec, encoding: Any) -> dict[str, Any]:
    """How the models of an encoding play, by what is added to their names."""
    if encoding.PLAYED_BY in ALONE:
        return {"": None}
    found: dict[str, Any] = {}
    if encoding.PLAYED_BY == SCENARIOS:
        found |= settings(spec, ScenarioSetting)
    else:
        found |= settings(spec, RolloutSetting)
    if not found:
        raise ValueError(f"{spec.id} has no players of the kind {encoding.PLAYED_BY} in its players.py")
    return found


def model_agent(
    folder: Path,
    name: str,
    seed: int = 0,
    parameters: Mapping[str, object] | None = None,
    suffix: str = "",
) -> Agent:
    """The agent of a model folder, or a `ValueError` that says why it cannot play here."""
    card = read_card(folder)
    spec, encoding = _check_versions(folder, card)
    if parameters and encoding.PLAYED_BY in ALONE:
        raise ValueError(f"{name} has no parameter {echo(next(iter(parameters)))}; it has none")
    if encoding.PLAYED_BY == TOKENS:
        agent = _token_agent(folder, card, spec, encoding, name, seed)
    elif encoding.PLAYED_BY == MOVES:
        info = AgentInfo(card.title, card.line, card.unit)
        network = OnnxMoves(_only_session(folder, card, encoding), encoding)
        agent = MoveAgent(name, spec, encoding, network, info, card.scale, seed)
    else:
        agent = _word_agent(folder, card, spec, encoding, name, seed, parameters or {}, suffix)
    agent.weights = card.weights
    return agent


def _word_agent(
    folder: Path,
    card: ModelCard,
    spec: GameSpec,
    encoding: Any,
    name: str,
    seed: int,
    parameters: Mapping[str, object],
    suffix: str,
) -> Agent:
    """A player whose network takes positions as words of bits."""
    session = _only_session(folder, card, encoding)
    network = OnnxNetwork(session, encoding, bool(card.networks[0].shape.get("diffuse", 0)))
    setting = _settings(spec, encoding)[suffix]
    if not suffix:
        setting = replace(setting, title=card.title, line=card.line)
    if encoding.PLAYED_BY == SCENARIOS:
        return ScenarioAgent(name, spec, encoding, network, setting, seed, parameters)
    return RolloutAgent(name, spec, encoding, network, setting, card.scale, seed, parameters)


def _token_agent(folder: Path, card: ModelCard, spec: GameSpec, encoding: Any, name: str, seed: int) -> Agent:
    """A player whose networks take tokens."""
    sessions = _sessions(folder, card, encoding)
    outputs = Networks(encoding, sessions, owners_of(folder, card, encoding))
    info = AgentInfo(card.title, card.line, card.unit, searches=_waits(card))
    table, num_outputs = card.table(folder), _num_outputs(folder, sessions)
    tell = reading(spec, card.unit, card.scale, table, num_outputs)
    agent = NetworkAgent(name, spec, encoding, outputs, info, tell, seed)
    if _waits(card):
        agent = TurnSearchAgent(name, spec, encoding, outputs, info, table, seed)
    agent.folder = folder
    return agent


def _waits(card: ModelCard) -> bool:
    """Whether the model also tells what a position is worth to the player who waits."""
    return any(WAITING in network.decisions for network in card.networks)


class Networks:
    """Outputs of one network, or of one for each kind of decision, on all cores."""

    def __init__(self, encoding: Any, sessions: Sequence[Any], owners: np.ndarray):
        self._encoding = encoding
        self._sessions = sessions
        self._owners = owners  # of each kind of decision: the number of its network

    def __call__(self, places: np.ndarray, progress: np.ndarray, legal: Lists) -> np.ndarray:
        """Outputs [M, O]; how they are cut into calls does not change them."""
        owners = self._owners[self._encoding.decision_kinds(progress)]
        size = min(CHUNK, -(-len(places) // num_cores()))
        calls = []
        for number in range(len(self._sessions)):
            mine = np.flatnonzero(owners == number)
            calls += [(number, mine[start : start + size]) for start in range(0, len(mine), size)]
        found: list[np.ndarray] = [NOTHING] * len(calls)

        def call(k: int) -> None:
            number, index = calls[k]
            bits = np.empty((len(index), self._encoding.NUM_TOKENS, places.shape[1]), np.float32)
            spread(places[index], bits)
            read, is_legal = legal.take(index).padded()
            inputs = {
                "places": bits,
                "progress": progress[index].astype(np.float32),
                "read": read.astype(np.int64),
            }
            found[k] = self._sessions[number].run(["values"], inputs)[0][is_legal]

        each(call, len(calls))
        outputs = np.empty((len(legal.items), found[0].shape[1]), np.float32)
        for (_, index), part in zip(calls, found, strict=True):
            outputs[legal.places(index)] = part
        return outputs


@dataclass(frozen=True)
class _Network:
    """The content of an ONNX file, told apart by its SHA-256."""

    sha256: str
    content: bytes = field(compare=False, repr=False)


@functools.lru_cache(maxsize=16)
def _session(network: _Network) -> Any:
    """A network ready to run on one thread; agents of the same network share it."""
    import onnxruntime  # takes a while: only who plays a model waits for it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # the cores get a call each
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4  # what is wrong is said by exceptions
    return onnxruntime.InferenceSession(network.content, options, providers=["CPUExecutionProvider"])


def _only_session(folder: Path, card: ModelCard, encoding: Any) -> Any:
    """The network of a model that has one."""
    if len(card.networks) != 1:
        raise ValueError(
            f"the model in {folder} has {len(card.networks)} networks; it plays with exactly one"
        )
    return _sessions(folder, card, encoding)[0]


def _sessions(folder: Path, card: ModelCard, encoding: Any) -> list[Any]:
    """The networks of a model, if they are its own and take what the encoding gives."""
    sessions = []
    for network in card.networks:
        content = read_file(folder, network.file, network.sha256)
        try:
            session = _session(_Network(network.sha256, content))
        except Exception as error:  # onnxruntime's have no base of their own
            raise ValueError(f"{folder / network.file} is no network: {echo(str(error))}") from None
        shapes = {given.name: given.shape[1:] for given in session.get_inputs()}
        if any(shapes.get(name) != shape for name, shape in _input_shapes(encoding).items()):
            raise ValueError(f"{folder / network.file} takes other inputs than {card.encoding} gives")
        sessions.append(session)
    return sessions


def _input_shapes(encoding: Any) -> dict[str, list[int]]:
    """What the networks of an encoding take, but for the number of positions."""
    if encoding.PLAYED_BY == MOVES:
        return {"obs": [encoding.NUM_COLUMNS], "moves": [encoding.NUM_MOVE_COLUMNS]}
    if encoding.PLAYED_BY != TOKENS:
        return {"obs": [encoding.NUM_COLUMNS]}
    return {
        "places": [encoding.NUM_TOKENS, encoding.NUM_PLACE_ROWS],
        "progress": [encoding.NUM_PROGRESS],
    }


def _check_versions(folder: Path, card: ModelCard) -> tuple[GameSpec, Any]:
    """The game and the encoding of a model, if they are those that it was trained with."""
    if card.game not in list_games():
        raise ValueError(f"the model in {folder} plays {echo(card.game)}, which is no game here")
    spec = find_spec(card.game)
    if card.rules_version != spec.rules_version:
        raise ValueError(
            f"the model in {folder} was trained for version {card.rules_version} of the {card.game} rules; "
            f"here they have version {spec.rules_version}"
        )
    encoding = spec.encoding(card.encoding)
    if encoding is None:
        raise ValueError(
            f"the model in {folder} needs {echo(card.encoding)}, which {card.game} does not have"
        )
    if card.encoding_version != encoding.ENCODING_VERSION:
        raise ValueError(
            f"the model in {folder} was trained with version {card.encoding_version} of {card.encoding}; "
            f"here it has version {encoding.ENCODING_VERSION}"
        )
    if card.unit not in UNITS:
        raise ValueError(
            f"the model in {folder} has values in {echo(card.unit)}; known are points, probability"
        )
    return spec, encoding


def owners_of(folder: Path, card: ModelCard, encoding: Any) -> np.ndarray:
    """For each kind of decision the number of the network that makes it."""
    listed = [
        (decision, number)
        for number, network in enumerate(card.networks)
        for decision in network.decisions
        if decision != WAITING
    ]
    made_by = dict(listed)
    if len(made_by) != len(listed) or set(made_by) != set(encoding.DECISION_KINDS):
        raise ValueError(
            f"the networks in {folder} do not make each decision once: {', '.join(encoding.DECISION_KINDS)}"
        )
    return np.array([made_by[decision] for decision in encoding.DECISION_KINDS])


def _num_outputs(folder: Path, sessions: Sequence[Any]) -> int:
    """How many numbers the networks say of an action."""
    counts = {session.get_outputs()[0].shape[-1] for session in sessions}
    if len(counts) != 1:
        raise ValueError(f"the networks in {folder} do not say the same: {counts} numbers of an action")
    return int(counts.pop())
