"""Players from a model folder: networks in ONNX, run by onnxruntime, without torch.

K positions, T tokens, R place rows, P progress rows, M legal actions of all positions.
"""

import functools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from fuda.agents.action_outputs import ActionAgent, OnnxActions
from fuda.agents.agent import POLICY, Agent, AgentInfo
from fuda.agents.bidding import LEARNED, only_bids, own_bidder, plain_bidder, way_of, ways_of
from fuda.agents.decompositions import DecompositionAgent, OnnxDecompositions
from fuda.agents.evaluator import Evaluator, WordEvaluator
from fuda.agents.factored import FactoredAgent, OnnxFactored
from fuda.agents.move_values import MoveEvaluator, OnnxMoves
from fuda.agents.network import NetworkAgent, reading
from fuda.agents.rollouts import RolloutAgent
from fuda.agents.scenarios import ScenarioAgent
from fuda.agents.settings import RolloutSetting, ScenarioSetting, settings
from fuda.agents.turn_search import WAITING, TurnSearchAgent
from fuda.agents.values import ValueAgent
from fuda.agents.words import OnnxNetwork
from fuda.core.bits import unpack
from fuda.core.errors import echo
from fuda.core.game import Game, GameSpec
from fuda.core.protocols import BID
from fuda.core.ragged import Lists
from fuda.core.threads import each, num_cores
from fuda.games import list_games
from fuda.games import spec as find_spec
from fuda.nets.folder import CARD, ModelCard, read_card
from fuda.nets.onnx_files import check_whole

MODELS = Path(__file__).parent.parent / "models"  # those that ship: <game>/<name>/
# Kinds of players that an encoding may be for.
TOKENS, SCENARIOS, MOVES = "tokens", "scenarios", "moves"
DECOMPOSITIONS, ACTIONS, FACTORED = "decompositions", "actions", "factored"
UNITS = ("points", "probability", POLICY, None)
NOTHING = np.empty((0, 0), np.float32)
# Of networks for which the game has no settings.
NETWORK_ALONE = RolloutSetting(name="", title="", line="", beta=0, close=0, doubt=0, deviation=1)
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


def bidding_model(game_id: str) -> Path | None:
    """The shipped model that bids for the other models' players, if the game has one."""
    for folder in model_folders(game_id).values():
        with suppress(ValueError):  # of a damaged card its player tells
            if only_bids(read_card(folder)):
                return folder
    return None


def model_info(folder: Path, suffix: str = "") -> AgentInfo:
    """What people are told about a model's player, from cards alone."""
    card = read_card(folder)
    setting = _players(folder)[suffix]
    searches = _waits(card) if setting is None else setting.searches
    info = AgentInfo(card.title, card.line, card.unit, searches=searches)
    if suffix:
        has_unit = getattr(setting, "method", "") != "policy"
        info = AgentInfo(setting.title, setting.line, card.unit if has_unit else None, searches=searches)
    with suppress(ValueError):  # a model that does not fit says so when it is to play
        spec, encoding = _check_versions(folder, card)
        info = _with_bids(replace(info, learned_options=_learned(spec, card)), spec, encoding)
    return info


def _with_bids(info: AgentInfo, spec: GameSpec, encoding: Any) -> AgentInfo:
    """What people are told about a player, also of its bids."""
    if spec.is_bidding is None:
        return info
    if BID in encoding.DECISION_KINDS:
        return replace(info, bids=True, bid_unit=info.unit)
    if own_bidder(spec, encoding) is not None:
        return replace(info, bids=True)
    folder = _bids_for(spec, encoding)
    return info if folder is None else replace(info, bids=True, bid_unit=read_card(folder).unit)


def bid_weights(folder: Path) -> str | None:
    """A hash of the model that bids for the players of a model, None where none does."""
    found = _bids_for(*_check_versions(folder, read_card(folder)))
    return None if found is None else read_card(found).weights


def _bids_for(spec: GameSpec, encoding: Any) -> Path | None:
    """The model that bids for players by an encoding, if there is one and they cannot."""
    if spec.is_bidding is None or BID in encoding.DECISION_KINDS or own_bidder(spec, encoding) is not None:
        return None
    return bidding_model(spec.id)


def _players(folder: Path) -> dict[str, Any]:
    """The settings of a model's players by what is added to its name; none of a model for bids alone.

    A damaged model has one player, which says what is wrong when it is asked for.
    """
    try:
        card = read_card(folder)
        return {} if only_bids(card) else _settings(*_check_versions(folder, card), card.unit)
    except ValueError:
        return {"": None}


def _settings(spec: GameSpec, encoding: Any, unit: str | None) -> dict[str, Any]:
    """How the models of an encoding and a unit play, by what is added to their names.

    None stands for the network alone, which needs no settings.
    """
    if encoding.PLAYED_BY in (TOKENS, DECOMPOSITIONS, ACTIONS, FACTORED):
        return {"": None}
    found: dict[str, Any] = {}
    if encoding.PLAYED_BY == SCENARIOS:
        found |= settings(spec, ScenarioSetting)
    else:
        listed = settings(spec, RolloutSetting)
        found |= {name: setting for name, setting in listed.items() if setting.unit == unit}
        if encoding.PLAYED_BY == MOVES and not found:
            return {"": None}
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
    if only_bids(card):
        raise ValueError(f"the model in {folder} is for bids alone: the other players of {spec.id} bid by it")
    way, others = way_of(name, spec, parameters)
    setting = _settings(spec, encoding, card.unit)[suffix]
    if others and setting is None:
        raise ValueError(f"{name} has no parameter {echo(next(iter(others)))}; it has none")
    if encoding.PLAYED_BY == TOKENS:
        agent = _token_agent(folder, card, spec, encoding, name, seed)
    elif encoding.PLAYED_BY in (DECOMPOSITIONS, ACTIONS, FACTORED):
        given = _sessions(folder, card, encoding), nets_of_kinds(folder, card, encoding), encoding
        info = AgentInfo(card.title, card.line, card.unit)
        if encoding.PLAYED_BY == DECOMPOSITIONS:
            agent = DecompositionAgent(name, spec, encoding, OnnxDecompositions(*given), info, seed)
        elif encoding.PLAYED_BY == ACTIONS:
            agent = ActionAgent(name, spec, encoding, OnnxActions(*given), info, seed)
        else:
            agent = FactoredAgent(name, spec, encoding, OnnxFactored(*given), info, seed)
    else:
        session = _only_session(folder, card, encoding)
        if not suffix:
            setting = replace(setting or NETWORK_ALONE, title=card.title, line=card.line)
        made_of = (name, spec, session, encoding, card, setting, seed, others)
        agent = _scenario_agent(*made_of) if encoding.PLAYED_BY == SCENARIOS else _rollout_agent(*made_of)
    agent.info = replace(agent.info, learned_options=_learned(spec, card))
    agent.weights = card.weights
    _let_bid(agent, encoding, way)
    return agent


def _let_bid(agent: Agent, encoding: Any, way: str) -> None:
    """Say who makes a player's bids, and to people what that means."""
    spec = agent.spec
    if spec.is_bidding is None or not isinstance(agent, ValueAgent):
        return
    is_named = way in ways_of(spec)
    folder = Path(way) if not is_named else _bids_for(spec, encoding) if way == LEARNED else None
    own = own_bidder(spec, encoding)
    if folder is not None:
        card = read_card(folder)
        _, of_bids = _check_versions(folder, card)
        if BID not in of_bids.DECISION_KINDS:
            raise ValueError(f"the model in {folder} cannot bid")
        agent.bidder = _network_alone(folder, card, spec, of_bids)
        agent.bid_weights = card.weights
    elif way != LEARNED:
        agent.bidder = plain_bidder(spec, way)
    elif own is not None:
        agent.bidder = plain_bidder(spec, own)
    if way != LEARNED:
        agent.name += f",bids={way}"
    unit = agent.info.unit if agent.bidder is None else agent.bidder.info.unit
    is_own = agent.bidder is None or unit is not None or (way == LEARNED and own is not None)
    agent.info = replace(agent.info, bids=is_own, bid_unit=unit)


def _network_alone(folder: Path, card: ModelCard, spec: GameSpec, encoding: Any) -> RolloutAgent:
    """Who plays by what a network of moves says."""
    session = _only_session(folder, card, encoding)
    setting = replace(NETWORK_ALONE, title=card.title, line=card.line)
    return _rollout_agent(f"{spec.id}/{folder.name}", spec, session, encoding, card, setting, 0, {})


def _scenario_agent(
    name: str, spec: GameSpec, session: Any, encoding: Any, card: ModelCard, setting: ScenarioSetting,
    seed: int, parameters: Mapping[str, object],
) -> Agent:  # fmt: skip
    """A player whose network sees open hands."""
    network = _word_network(session, encoding, card)
    return ScenarioAgent(name, spec, encoding, network, setting, seed, parameters)


def _rollout_agent(
    name: str, spec: GameSpec, session: Any, encoding: Any, card: ModelCard, setting: RolloutSetting,
    seed: int, parameters: Mapping[str, object],
) -> RolloutAgent:  # fmt: skip
    """A player whose network values the actions, or the moves, of a view."""
    evaluator: Evaluator
    if encoding.PLAYED_BY == MOVES:
        evaluator = MoveEvaluator(encoding, OnnxMoves(session, encoding), card.unit, card.scale)
    else:
        evaluator = WordEvaluator(encoding, _word_network(session, encoding, card), card.scale)
    return RolloutAgent(name, spec, evaluator, setting, seed, parameters)


def _word_network(session: Any, encoding: Any, card: ModelCard) -> OnnxNetwork:
    return OnnxNetwork(session, encoding, bool(card.networks[0].shape.get("diffuse", 0)))


def _token_agent(folder: Path, card: ModelCard, spec: GameSpec, encoding: Any, name: str, seed: int) -> Agent:
    """A player whose networks take tokens."""
    sessions = _sessions(folder, card, encoding)
    outputs = Networks(encoding, sessions, nets_of_kinds(folder, card, encoding))
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

    def __init__(self, encoding: Any, sessions: Sequence[Any], net_of_kind: np.ndarray):
        self._encoding = encoding
        self._sessions = sessions
        self._net_of_kind = net_of_kind  # of each kind of decision: the number of its network

    def __call__(self, places: np.ndarray, progress: np.ndarray, legal: Lists) -> np.ndarray:
        """Outputs [M, O]; how they are cut into calls does not change them."""
        made_by = self._net_of_kind[self._encoding.decision_kinds(progress)]
        size = min(CHUNK, -(-len(places) // num_cores()))
        calls = []
        for number in range(len(self._sessions)):
            mine = np.flatnonzero(made_by == number)
            calls += [(number, mine[start : start + size]) for start in range(0, len(mine), size)]
        found: list[np.ndarray] = [NOTHING] * len(calls)

        def call(k: int) -> None:
            number, index = calls[k]
            bits = np.empty((len(index), self._encoding.NUM_TOKENS, places.shape[1]), np.float32)
            unpack(places[index], bits)
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
    check_whole(network.content)
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
    for number, network in enumerate(card.networks):
        content = card.network(folder, number)
        try:
            session = _session(_Network(network.sha256, content))
        except Exception as error:  # onnxruntime's have no base of their own
            raise ValueError(f"{folder / network.file} is no network: {echo(str(error))}") from None
        shapes = {given.name: given.shape[1:] for given in session.get_inputs()}
        wanted = _input_shapes(encoding, network.decisions)
        if any(shapes.get(name) != shape for name, shape in wanted.items()):
            raise ValueError(f"{folder / network.file} takes other inputs than {card.encoding} gives")
        sessions.append(session)
    return sessions


def _input_shapes(encoding: Any, decisions: Sequence[str]) -> dict[str, list[int]]:
    """What a network of an encoding takes for these kinds of decisions, but for the number of positions."""
    if encoding.PLAYED_BY == MOVES:
        return {"obs": [encoding.NUM_COLUMNS], "moves": [encoding.NUM_MOVE_COLUMNS]}
    if encoding.PLAYED_BY == DECOMPOSITIONS:
        return {"groups": [int(np.prod(encoding.GROUP_SHAPE))], "numbers": [encoding.NUM_COLUMNS]}
    if encoding.PLAYED_BY == ACTIONS:
        return {"hand": [int(np.prod(encoding.GROUP_SHAPE))], "numbers": [encoding.NUM_COLUMNS]}
    if encoding.PLAYED_BY == FACTORED:
        is_further = encoding.FURTHER_KIND in decisions
        return {"planes": list((encoding.FURTHER_LAYOUT if is_further else encoding.LAYOUT).shape)}
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
    try:
        _learned(spec, card)
    except ValueError as error:
        raise ValueError(f"the model in {folder} was trained under other rules: {error}") from None
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
            f"the model in {folder} has values in {echo(card.unit)}; known are points, probability, policy"
        )
    return spec, encoding


def _learned(spec: GameSpec, card: ModelCard) -> dict[str, int | str]:
    """The rule options that a model learned under, as far as they matter."""
    return Game(spec, card.options).learned_options


def nets_of_kinds(folder: Path, card: ModelCard, encoding: Any) -> np.ndarray:
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
