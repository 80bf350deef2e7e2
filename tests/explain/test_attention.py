"""Attention in a suit, measured on networks whose attention is known."""

import numpy as np
import pytest
import torch

import fuda
from fuda.explain.attention import AttentionReader, mass_in_suit, stderr_over_matches, suit_masses
from fuda.explain.picture import check_format, draw_attention
from fuda.explain.walk import walk
from fuda.games.koikoi import encoding
from tests.explain.planted import SHAPE, suit_agent

torch.set_num_threads(1)  # test processes share the cores

UNIFORM = 3 / 50  # the other three cards of the month among all tokens


def measure(folder, shift):
    agent = suit_agent(folder, shift)
    batches = walk(fuda.game("koikoi", rounds=1), agent, 2, 1)
    return {(mass.layer, mass.head): mass for mass in suit_masses(AttentionReader(agent), batches)}


def test_a_head_that_looks_at_its_suit(tmp_path):
    """All its attention is on the four cards of the suit, alike; the other heads look at all alike."""
    masses = measure(tmp_path, 0)
    assert set(masses) == {(layer, head) for layer in (1, 2) for head in (1, 2)}
    assert masses[1, 1].others == pytest.approx(3 / 4, abs=1e-4)
    assert masses[1, 1].itself == pytest.approx(1 / 4, abs=1e-4)
    for place in ((1, 2), (2, 1), (2, 2)):
        assert masses[place].others == pytest.approx(UNIFORM, abs=1e-4)
        assert masses[place].itself == pytest.approx(1 / 50, abs=1e-4)
    for mass in masses.values():
        assert mass.uniform == pytest.approx(UNIFORM, abs=1e-6)
        assert mass.stderr == pytest.approx(0, abs=1e-4)


def test_a_head_that_looks_at_the_next_suit(tmp_path):
    mass = measure(tmp_path, 1)[1, 1]
    assert mass.others == pytest.approx(0, abs=1e-4)
    assert mass.itself == pytest.approx(0, abs=1e-4)


def test_a_head_that_looks_at_all_alike(tmp_path):
    mass = measure(tmp_path, None)[1, 1]
    assert mass.others == pytest.approx(UNIFORM, abs=1e-4)


def test_one_network_for_each_kind_of_decision(tmp_path):
    """Each is asked about its own decisions; koi-koi and stop, which have no suit, are not counted."""
    agent = suit_agent(tmp_path, 0, per_kind=True)
    masses = suit_masses(AttentionReader(agent), walk(fuda.game("koikoi"), agent, 2, 1))
    first = {mass.decisions[0]: mass for mass in masses if (mass.layer, mass.head) == (1, 1)}
    assert set(first) == set(encoding.DECISION_KINDS)
    assert first["discard"].others == pytest.approx(3 / 4, abs=1e-4)
    assert first["pick"].others == first["koikoi"].others == pytest.approx(0, abs=1e-4)
    assert {mass.decisions[0] for mass in masses if mass.layer == 2} == {"discard", "pick"}


def test_only_readers_with_a_suit_count():
    suits = np.array([0, 0, 1, 1, -1])
    weights = np.zeros((1, 2, 1, 5, 5))
    weights[0, 0, 0] = np.eye(5)
    weights[0, 0, 0, 0] = [0.1, 0.7, 0.1, 0.1, 0.0]
    weights[0, 1] = 0.2
    readers = np.array([[[True, False, False, False, True], [False, False, False, False, True]]])
    others, itself, uniform = mass_in_suit(weights, readers, suits)[:, 0, :, 0]
    assert (others[0], itself[0], uniform[0]) == pytest.approx((0.7, 0.1, 0.2))
    assert np.isnan(others[1])


def test_errors_count_whole_matches():
    """Equal positions of one match are no more than one."""
    once = stderr_over_matches(np.array([0.0, 1.0]), np.array([4, 7]))
    assert once == pytest.approx(0.5)
    assert stderr_over_matches(np.array([0.0, 1.0] * 10), np.array([4, 7] * 10)) == pytest.approx(once)
    assert stderr_over_matches(np.array([0.0, 1.0]), np.array([4, 4])) is None


def test_the_last_layer_is_read_by_legal_moves_alone(tmp_path):
    agent = suit_agent(tmp_path, 0)
    match = fuda.game("koikoi").start(3)
    (attention,) = AttentionReader(agent).read([match])
    assert attention.weights.shape == (2, 1, SHAPE.heads, encoding.NUM_TOKENS, encoding.NUM_TOKENS)
    assert attention.readers[0].all()
    assert set(np.flatnonzero(attention.readers[1, 0])) == set(match.legal_actions().values())


def test_every_token_has_one_place(tmp_path):
    agent = suit_agent(tmp_path, 0)
    reader = AttentionReader(agent)
    names = set()
    for _, matches in walk(fuda.game("koikoi", rounds=1), fuda.agent("koikoi/random"), 3, 1):
        for match in matches:
            groups = reader.token_places(match)
            names |= {name for name, _ in groups}
            tokens = [token for _, some in groups for token in some]
            assert sorted(tokens) == list(range(encoding.NUM_TOKENS))
            hand = dict(groups).get("my hand", [])
            assert [agent.spec.text.move_text(card) for card in hand] == match.view(match.seat)["hand"]
    assert names == {*encoding.PLACE_NAMES, "on its way", "answers"}


def test_drawn_as_svg_and_png(tmp_path):
    agent = suit_agent(tmp_path / "model", 0)
    match = fuda.game("koikoi").start(3)
    for name, start in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("b.svg", b"<?xml")):
        draw_attention(AttentionReader(agent), match, "Title", check_format(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(start)
    text = (tmp_path / "a.svg").read_text()
    assert (tmp_path / "b.svg").read_text() == text
    for words in ("Title", "Layer 1, head 1", "Layer 2, head 2", "my hand", "unseen", match.legal()[0]):
        assert f">{words}<" in text
    with pytest.raises(ValueError, match=r"\.svg or \.png"):
        check_format(tmp_path / "a.pdf")


def test_players_without_a_network():
    with pytest.raises(ValueError, match="koikoi/random has no attention"):
        AttentionReader(fuda.agent("koikoi/random"))
