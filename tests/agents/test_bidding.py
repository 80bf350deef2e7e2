"""Who bids for players by values: a model for bids alone, by expected points, or another way."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
import torch

import fuda
from fuda.agents import agent_info, model
from fuda.agents.move_values import MoveEvaluator
from fuda.agents.rollouts import RolloutAgent
from fuda.arena.stored import is_current
from fuda.core.game import Game
from fuda.explain.disagreements import disagreements
from fuda.explain.values import explain_move
from fuda.games.doudizhu import SPEC, auction
from fuda.nets.export import write_model
from fuda.nets.folder import CARD, ModelCard
from fuda.nets.move_values import MoveInputs, MoveShape, MoveValueNet
from tests.contract.disguise import disguised

TABLE = fuda.game("doudizhu", bidding="on", score="adp")
SHAPE = MoveShape(width=16, blocks=1, move_width=8, move_blocks=1, kinds=4, outputs=3)
CARD_PLAYER, BIDDER = "doudizhu/best-raw", "doudizhu/auction"


def write_bids(folder: Path, decisions: tuple[str, ...] = ("bid",)) -> Path:
    """A model whose values are made up."""
    torch.manual_seed(4)
    inputs = MoveInputs(auction, "cpu")
    columns = (len(part.column_words) for part in (inputs.position, inputs.move))
    net = MoveValueNet(*columns, SHAPE)
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    card = ModelCard(
        "doudizhu", SPEC.rules_version, "auction", auction.ENCODING_VERSION,
        "Bids", "Bids by made-up values.", "points", 8.0,
    )  # fmt: skip
    write_model(folder, card, [(net, decisions)])
    return folder


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """The models that ship, with one for bids that is made up."""
    (tmp_path / "doudizhu").mkdir()
    for name, folder in model.model_folders("doudizhu").items():
        if not model.only_bids(model.read_card(folder)):
            (tmp_path / "doudizhu" / name).symlink_to(folder)
    write_bids(tmp_path / "doudizhu" / "auction")
    monkeypatch.setattr(model, "MODELS", tmp_path)
    return tmp_path / "doudizhu"


def bid_positions(count: int = 12) -> list[fuda.Match]:
    luck, found = random.Random(1), []
    for seed in range(count):
        match = TABLE.start(seed)
        while match.awaits_bid:
            found.append(match.copy())
            match.play(luck.choice(match.legal()))
    return found


class Planted:
    """Says of each bid the chance to win, the points if won and if lost; tells them by the bid's row."""

    num_outputs = 3
    told = np.array([[0.0, 1.0, -1.0], [0.5, 2.0, -2.0], [-1.0, 9.0, -1.0], [3.0, 3.0, -90.0]])

    def __call__(self, words, move_words, starts):
        bids = move_words[:, auction.BID_MADE]
        return self.told[np.log2(bids).astype(int)]


def test_a_player_bids_by_expected_points_and_tells_them():
    evaluator = MoveEvaluator(auction, Planted(), "points", 2.0)
    agent = RolloutAgent("doudizhu/planted", SPEC, evaluator, model.NETWORK_ALONE)
    assert agent.bidder is None
    chance = 1 / (1 + np.exp(-Planted.told[:, 0]))
    expected = 2.0 * (chance * Planted.told[:, 1] + (1 - chance) * Planted.told[:, 2])
    order = np.argsort(-expected)
    assert order.tolist() == [2, 1, 0, 3]
    chosen = set()
    for match in bid_positions():
        bids = [int(move[-1]) for move in match.legal()]
        values = agent.values(match)
        assert values == pytest.approx({f"bid{bid}": expected[bid] for bid in bids})
        best = next(bid for bid in order if bid in bids)
        assert agent.choose(match) == f"bid{best}"
        chosen.add(best)
    assert chosen == {0, 2}  # a bid of 1 is never legal where 2 is not


def test_the_model_for_bids_bids_for_the_others(shipped):
    agent = fuda.agent(CARD_PLAYER)
    alone, rule = fuda.agent(CARD_PLAYER, bids="rule"), fuda.agent("doudizhu/rhcp-partner")
    whole = fuda.agent(write_bids(shipped / "whole", auction.DECISION_KINDS))
    assert agent.info == agent_info(CARD_PLAYER)
    assert (agent.info.bids, agent.info.bid_unit, agent.info.unit) == (True, "points", "probability")
    assert (alone.info.bids, alone.info.bid_unit) == (False, None)
    assert (whole.info.bids, whole.info.bid_unit) == (True, "points")
    assert whole.bidder is None
    num_different = 0
    for match in bid_positions():
        values = agent.values(match)
        assert sorted(values) == match.legal()
        assert values == pytest.approx(whole.values(match))  # the same network, as a player of its own
        assert agent.choose(match) == whole.choose(match)
        assert alone.values(match) is None
        assert alone.choose(match) == rule.choose(match)
        num_different += agent.choose(match) != alone.choose(match)
        match.play("bid3" if "bid3" in match.legal() else match.legal()[0])
        if not match.awaits_bid:
            assert agent.values(match) == alone.values(match)  # cards are played as before
    assert num_different > 5


def test_cards_that_a_seat_cannot_see_do_not_change_its_bids(shipped):
    """Neither the other hands nor the bottom."""
    agent, num_others = fuda.agent(CARD_PLAYER), 0
    for number, match in enumerate(bid_positions(6)):
        other = disguised(match, match.seat, number)
        num_others += other.state_bytes() != match.state_bytes()
        assert agent.values(other) == agent.values(match)
        assert agent.choose(other) == agent.choose(match)
    assert num_others > 5


def test_bids_of_many_views_are_those_of_each(shipped):
    agent = fuda.agent(CARD_PLAYER)
    matches = bid_positions(6)
    for match in matches[::2]:
        while match.awaits_bid:
            match.play(match.legal()[-1])
    matches = [match for match in matches if not match.over]
    seats = np.array([match.seat for match in matches])
    views = np.concatenate([match.view_record(match.seat) for match in matches]).view(np.recarray)
    assert 0 < sum(match.awaits_bid for match in matches) < len(matches)
    actions = agent.act(views, seats, np.zeros(len(views), np.uint64))
    texts = [SPEC.text.move_text(int(action)) for action in actions]
    assert texts == [agent.choose(match) for match in matches]
    values = agent.evaluate(views, seats, np.zeros(len(views), np.uint64))
    for match, found in zip(matches, values, strict=True):
        assert {SPEC.text.move_text(action) for action in found} == set(match.legal())


def test_other_ways_to_bid_are_parameters(shipped):
    agents = {way: fuda.agent(CARD_PLAYER, bids=way, seed=3) for way in ("lowest", "highest", "random")}
    assert [agent.name for agent in agents.values()] == [f"{CARD_PLAYER},bids={way}" for way in agents]
    matches = bid_positions()
    assert {way: {agent.choose(match) for match in matches} for way, agent in agents.items()} == {
        "lowest": {"bid0"}, "highest": {"bid3"}, "random": {"bid0", "bid1", "bid2", "bid3"},
    }  # fmt: skip
    with pytest.raises(ValueError, match=r"bids of doudizhu/best-raw is one of learned, .*, not 'bid3'"):
        fuda.agent(CARD_PLAYER, bids="bid3")
    with pytest.raises(ValueError, match="has no parameter 'bids'"):
        fuda.agent("koikoi/uct", bids="rule")


def test_the_model_for_bids_is_no_player(shipped):
    assert CARD_PLAYER in fuda.list_agents("doudizhu")
    assert BIDDER not in fuda.list_agents("doudizhu")
    with pytest.raises(ValueError, match="is for bids alone"):
        fuda.agent(shipped / "auction")


def test_without_such_a_model_the_rule_bids(shipped):
    (shipped / "auction" / CARD).unlink()
    agent = fuda.agent(CARD_PLAYER)
    assert agent.info == agent_info(CARD_PLAYER)
    assert not agent.info.bids
    match = TABLE.start(2)
    assert agent.values(match) is None
    assert agent.choose(match) == fuda.agent("doudizhu/rhcp-partner").choose(match)


def test_a_stored_duel_with_bids_is_also_of_the_model_that_bid(shipped, tmp_path):
    kept = []
    for options, has_bids in ((TABLE.options, True), ({"score": "adp"}, False)):
        out = tmp_path / f"duel-{has_bids}.json"
        fuda.duel(Game(SPEC, options), CARD_PLAYER, "doudizhu/random", 6, 5, out=out)
        kept.append(json.loads(out.read_text()))
        assert is_current(kept[-1])
        assert ("bid_weights" in kept[-1]) == has_bids
    card = shipped / "auction" / CARD
    stored = json.loads(card.read_text())
    stored["networks"][0]["sha256"] = "0" * 64
    card.write_text(json.dumps(stored))
    assert [is_current(duel) for duel in kept] == [False, True]


def test_bids_are_explained_in_points_and_records_hold_them(shipped):
    agent, match = fuda.agent(CARD_PLAYER), TABLE.start(3, players=["a", "b", "c"])
    while not match.over:
        match.play(agent.choose(match))
    assert fuda.replay(match.record()) == match
    bid, card = (explain_move(match, number, [agent]).judgements[0] for number in (1, 6))
    assert (bid.unit, card.unit) == ("points", "probability")
    assert bid.unit_words == "points expected"
    assert bid.best == match.moves[0][1]
    # What bids cost is in another unit than what cards cost: they are not ranked together.
    other = fuda.agent(CARD_PLAYER, bids="random", seed=1)
    found = disagreements(TABLE, agent, other, 6, 1, 5)
    assert not any(one.best.startswith("bid") for one in found)
