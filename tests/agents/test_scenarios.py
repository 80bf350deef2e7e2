"""Play with hidden hands: sampling against all deals written out, weights against a slow reference."""

import json
import math
import random
import re

import numpy as np
import pytest
import torch

import fuda
from fuda.agents import agent_info, model
from fuda.agents.scenarios import ScenarioAgent, scenario_setting
from fuda.core.generator import AGENT, streams
from fuda.core.threads import limited_to
from fuda.games.gongzhu import encoding, view_encoding
from fuda.games.gongzhu.text import card_texts
from fuda.games.tricks.french import CARD_IDS
from fuda.nets.export import write_model
from fuda.nets.folder import ModelCard
from fuda.nets.policy_value import CardMlp, MlpShape, dueling
from fuda.nets.words import WordInput
from fuda.search.exact import solve
from tests.games.gongzhu.reference import DECK, HEARTS, RANKS, follow, position, view_of, winner
from tests.games.gongzhu.test_scenarios import every_deal, slow_keys
from tests.payoffs import payoff_of

torch.set_num_threads(1)  # test processes share the cores

SPEC = fuda.game("gongzhu").spec
SCORING = ["SQ", *HEARTS, "DJ", "C10"]
MATRIX = np.random.default_rng(3).normal(size=(encoding.NUM_COLUMNS, 53)).astype(np.float32)
MATRIX[:, :52] *= 3


def network(words):
    """Made-up numbers: a matrix of the input."""
    obs = np.zeros((len(words), encoding.NUM_COLUMNS), np.float32)
    encoding.spread_all(words, True, obs, 0, len(words))
    # One row after the other: a product of matrices rounds differently by its size.
    found = np.stack([row @ MATRIX for row in obs])
    return found[:, 52] * 5, found[:, :52]


def agent(**parameters) -> ScenarioAgent:
    return ScenarioAgent("gongzhu/test", SPEC, encoding, network, scenario_setting(SPEC), 0, parameters)


# Endings of three tricks seen from seat 0, with shown voids; the pig and the sheep are unseen.
ENDINGS = {
    "leading": (["SK H6 D9", "SQ H3 S2", "DJ D2 H9", "S4 HK DA"], "", 0, ("", "C", "", "")),
    "following": (["SK S3 HK", "SJ HQ H5", "SQ H3", "DA DJ"], "SA S4", 2, ("", "C", "", "")),
    "last to play": (["D2 DA C10", "SQ H3", "DJ D9", "DK HQ"], "DQ D3 D4", 1, ("", "", "H", "")),
}


def ending(name: str) -> tuple[np.recarray, list[str]]:
    hands, table, leader, voids = ENDINGS[name]
    held = " ".join([*hands, table]).split()
    gone = [card for card in DECK if card not in held]
    state = position(hands, table, leader, (gone[:12], gone[12:], "", ""), voids)
    return view_of(state, 0), " ".join(hands[1:]).split()


def values_of_every_deal(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Exact values [D, A] in every deal that agrees with the view, and the stratum [D] of each."""
    view, unseen = ending(name)
    table = ENDINGS[name][1]
    keys = slow_keys(table[0] if table else None, unseen)
    found = every_deal(view, 0, unseen)
    states = SPEC.new_states(len(found))
    strata = []
    states[:] = view
    for state, hands in zip(states, found, strict=True):
        for other in range(3):
            state.hand[1 + other] = sum(1 << CARD_IDS[card] for card in hands[other])
        strata.append(tuple(next(o for o in range(3) if key in hands[o]) for key in keys))
    numbers = {stratum: number for number, stratum in enumerate(sorted(set(strata)))}
    values = solve(SPEC, states).items.reshape(len(states), -1)  # the cards are the same in all deals
    return values, np.array([numbers[stratum] for stratum in strata])


def sampled(name: str, **parameters) -> np.ndarray:
    view, _ = ending(name)
    values = agent(exact=3, weighting="none", **parameters).evaluate(
        view, np.array([0]), streams(5, AGENT, 0, 1)
    )
    return np.array(list(values[0].values()))


@pytest.mark.parametrize("name", ENDINGS)
def test_samples_converge_to_means_over_all_deals(name):
    """Exact values take the place of trees: what is left is the sampling."""
    values, strata = values_of_every_deal(name)
    assert len(values) > 30
    assert values.shape[1] > 1
    uniform = values.mean(axis=0)
    by_stratum = [values[strata == number] for number in range(strata.max() + 1)]
    equal = np.mean([part.mean(axis=0) for part in by_stratum], axis=0)
    count = 4500
    error = 4 * values.std(axis=0) / math.sqrt(count) + 1e-9
    assert (np.abs(sampled(name, scenarios=count, sampling="uniform") - uniform) < error).all()
    assert (np.abs(sampled(name, scenarios=count, counted=True) - uniform) < error).all()
    spread = np.mean([part.var(axis=0) for part in by_stratum], axis=0)
    within = 4 * np.sqrt(spread * len(by_stratum) / count) + 1e-9
    assert (np.abs(sampled(name, scenarios=count) - equal) < np.maximum(within, 0.5)).all()


def test_equal_and_counted_strata_are_different_means():
    """Else the test above would not tell them apart."""
    values, strata = values_of_every_deal("leading")
    by_stratum = [values[strata == number].mean(axis=0) for number in range(strata.max() + 1)]
    assert np.abs(np.mean(by_stratum, axis=0) - values.mean(axis=0)).max() > 2


# ---- The weights of scenarios ----


def played(seed: int) -> list[fuda.Match]:
    luck = random.Random(seed)
    match = fuda.game("gongzhu", leader=seed % 4).start(seed)
    found = []
    while not match.over:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


def slow_logits(hand, unseen, piles, trick, mover):
    """The policy's logits by card, from an input written number by number."""
    hands = [[float(card in hand) for card in DECK]] + [[(card in unseen) / 3 for card in DECK]] * 3
    taken = [[float(card in piles[(mover + other) % 4]) for card in SCORING] for other in range(4)]
    table = [[0.0] * 54 for _ in range(3)]
    for age, card in enumerate(reversed(trick)):
        for shift in range(3):
            table[age][DECK.index(card) + shift] = 1.0
    obs = np.concatenate([*hands, *taken, *table]).astype(np.float32)
    return dict(zip(DECK, (obs @ MATRIX)[:52].tolist(), strict=True))


def slow_score(match, hands, weighting, beta=0.015):
    """Algorithm 1 of the paper for one scenario, `hands` being all four now."""
    seat, moves = match.seat, match.moves
    hands = [set(hand) for hand in hands]
    for mover, card in moves:
        hands[mover].add(card)
    led_now = moves[len(moves) // 4 * 4][1][0] if len(moves) % 4 else None
    piles, trick, score = [[], [], [], []], [], 1.0
    for number, (mover, card) in enumerate(moves):
        important = RANKS.index(card[1:]) >= RANKS.index("8") and led_now in (None, card[0])
        if mover != seat and important:
            unseen = {other for hand in hands for other in hand} - hands[mover]
            logits = slow_logits(hands[mover], unseen, piles, trick, mover)
            legal = follow(hands[mover], trick[0] if trick else None)
            q = {each: logits[each] / 0.2 for each in legal}
            if weighting == "bayes":
                best = max(q.values())
                gammas = {each: math.exp(-beta * (best - value)) for each, value in q.items()}
                score *= gammas[card] / sum(gammas.values())
            else:
                regret = max(value for each, value in q.items() if each[0] == card[0]) - q[card]
                score *= math.exp(-beta * regret) if weighting == "iec" else max(0.1, 1 - beta * regret)
        hands[mover].remove(card)
        trick.append(card)
        if len(trick) == 4:
            leader = moves[number - 3][0]
            piles[(leader + winner(trick)) % 4] += trick
            trick = []
    return score


@pytest.mark.parametrize("weighting", ["iec", "iec-linear", "bayes"])
def test_weights_against_a_slow_reference(weighting):
    different = 0
    for seed in range(3):
        for match in played(seed)[2::4]:
            view, seats = match.view_record(match.seat), np.array([match.seat])
            priors = agent(weighting="none").draw(view, seats, streams(8, AGENT, 0, 1))[1][0]
            states, weights = agent(weighting=weighting).draw(view, seats, streams(8, AGENT, 0, 1))
            scores = np.array([
                slow_score(match, [card_texts(hand) for hand in state.hand], weighting) for state in states
            ])  # fmt: skip
            expected = priors * scores / (priors * scores).sum()
            assert weights[0] == pytest.approx(expected, rel=1e-3, abs=1e-9)
            assert weights[0].sum() == pytest.approx(1)
            different += weights[0].max() > 1.2 * weights[0].min()
    assert different > 15


def test_a_value_is_the_weighted_mean_of_its_values_in_the_scenarios():
    match = played(4)[9]
    view, seats = match.view_record(match.seat), np.array([match.seat])
    states, weights = agent().draw(view, seats, streams(8, AGENT, 0, 1))
    alone = [one_ply(state) for state in states]
    raw = agent(per_legal=1, extra=0).evaluate(view, seats, streams(8, AGENT, 0, 1))[0]
    for place, value in enumerate(raw.values()):
        assert value == pytest.approx((weights[0] * [row[place] for row in alone]).sum(), rel=1e-4)


def one_ply(state) -> list[float]:
    """The value of each legal card by the network alone, for the mover."""
    moves = np.zeros(13, np.int64)
    found = []
    before = np.array([state]).view(np.recarray)
    for action in moves[: SPEC.rules.legal(before[0], moves)].tolist():
        after = before.copy()
        SPEC.rules.step(after[0], action)
        words = np.zeros((1, encoding.NUM_WORDS), np.int64)
        encoding.encode_all(after, np.array([after[0].seat]), words, 0, 1)
        gain = float(network(words)[0][0]) * (1 if after[0].seat % 2 == state.seat % 2 else -1)
        found.append(payoff_of(SPEC, after[0], state.seat) + gain)
    return found


def test_decisions_do_not_depend_on_the_batch_or_the_cores():
    matches = [match for seed in range(3) for match in played(seed)]
    views = np.concatenate([match.view_record(match.seat) for match in matches]).view(np.recarray)
    seats = np.array([match.seat for match in matches])
    player = agent()
    whole = player.act(views, seats, streams(9, AGENT, 0, len(views)))
    with limited_to(1):
        luck = streams(9, AGENT, 0, len(views))
        assert (player.act(views, seats, luck) == whole).all()
    for k in range(0, len(views), 7):
        luck = streams(9, AGENT, k, 1)
        assert player.act(views[k : k + 1].view(np.recarray), seats[k : k + 1], luck)[0] == whole[k]


def test_a_policy_alone_plays_its_best_legal_card():
    for match in played(5):
        view, seat = match.view_record(match.seat), match.seat
        hand = card_texts(view[0].hand[seat])
        gone = [card for _, card in match.moves]
        unseen = [card for card in DECK if card not in hand and card not in gone]
        piles = [card_texts(pile) for pile in view[0].pile]
        trick = gone[len(gone) // 4 * 4 :]
        logits = slow_logits(hand, unseen, piles, trick, seat)
        player = agent(method="policy", scenarios=0, weighting="none")
        assert player.choose(match) == max(match.legal(), key=logits.get)
        assert player.values(match) is None
        assert agent(method="policy", scenarios=3).choose(match) in match.legal()


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("scenarios", -1),
        ("scenarios", 2.5),
        ("scenarios", 0),  # that is for a policy alone
        ("sampling", "evenly"),
        ("weighting", 3),
        ("weighting", "belief"),  # that is for networks that guess who holds what
        ("counted", 1),
        ("per_legal", 0),
        ("beta", -1),
        ("exploration", "30"),
        ("depth", 3),
    ],
)
def test_bad_parameters_are_value_errors(parameter, value):
    with pytest.raises(ValueError, match=parameter):
        agent(**{parameter: value})


# ---- From a model folder ----


@pytest.fixture
def folder(tmp_path):
    torch.manual_seed(1)
    net = CardMlp(encoding.NUM_COLUMNS, 52, MlpShape(first=24, second=24, width=16, blocks=1))
    card = ModelCard("gongzhu", 1, "encoding", 1, "Untrained", "Plays by chance.", "points", 1.0)
    write_model(tmp_path / "scrofazero", card, [(net, ["card"])])
    return tmp_path / "scrofazero"


def test_a_model_folder_plays(folder):
    player = fuda.agent(folder, scenarios=2, weighting="bayes")
    assert player.weights
    assert player.info.title == "Untrained"
    match = fuda.game("gongzhu").start(1)
    while not match.over:
        move = player.choose(match)
        assert set(player.values(match)) == set(match.legal())
        match.play(move)


@pytest.mark.parametrize("count", [0, 2])
def test_a_model_plays_with_one_network(folder, count):
    path = folder / "model.json"
    stored = json.loads(path.read_text())
    path.write_text(json.dumps(stored | {"networks": count * stored["networks"]}))
    sentence = f"the model in {folder} has {count} networks; it plays with exactly one"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        fuda.agent(folder)


def test_a_shipped_model_has_three_players(folder, monkeypatch, tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "gongzhu").mkdir()
    folder.rename(tmp_path / "models" / "gongzhu" / "scrofazero")
    monkeypatch.setattr(model, "MODELS", tmp_path / "models")
    names = ["gongzhu/scrofazero", "gongzhu/scrofazero-policy", "gongzhu/scrofazero-raw"]
    assert [name for name in fuda.list_agents("gongzhu") if "scrofa" in name] == names
    result = fuda.duel("gongzhu", names[1], names[2], games=4)
    assert result.games == 4
    for name in names:
        assert agent_info(name) == fuda.agent(name).info


def test_a_network_of_views_plays_its_best_card(tmp_path):
    """Values are those of a dueling head, centred over the legal cards, from the lead so far on."""
    torch.manual_seed(2)
    net = CardMlp(view_encoding.NUM_COLUMNS, 52, MlpShape(first=24, second=24, width=16, blocks=1, diffuse=0))
    card = ModelCard("gongzhu", 1, "view_encoding", 1, "Views", "Plays by chance.", "points", 100.0)
    write_model(tmp_path, card, [(net, ["card"])])
    player = fuda.agent(tmp_path, scenarios=0)
    spread = WordInput(view_encoding.COLUMN_WORDS, view_encoding.COLUMN_SHIFTS)
    for match in played(6):
        words = np.zeros((1, view_encoding.NUM_WORDS), np.int64)
        view_encoding.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
        legal = torch.zeros(1, 52, dtype=torch.bool)
        legal[0, [CARD_IDS[card] for card in match.legal()]] = True
        with torch.no_grad():
            expected = 100 * dueling(*net(spread(torch.from_numpy(words))), legal)[0]
        lead = payoff_of(SPEC, match.view_record(match.seat)[0], match.seat)
        values = player.values(match)
        for move, value in values.items():
            assert value == pytest.approx(lead + float(expected[CARD_IDS[move]]), abs=0.1)
        assert values[player.choose(match)] > max(values.values()) - 1e-2
    with pytest.raises(ValueError, match="has no parameter 'method'"):
        fuda.agent(tmp_path, method="policy")
