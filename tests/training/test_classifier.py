"""Learning from played matches, small. The matches are own ones, written in the human games' format."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import torch

import fuda
from fuda.agents.model import model_agent, model_folders
from fuda.games.gongzhu import view_encoding
from fuda.games.koikoi import encoding
from fuda.nets.export import read_network
from fuda.nets.folder import read_card
from fuda.nets.token_transformer import TokenShape, TokenTransformer, unpack
from fuda.nets.words import word_input
from fuda.training import cross_validation
from fuda.training.classifier import Classifier, export, first_network, fit, fit_all, of_kinds
from fuda.training.cross_validation import cross_validate, folds_of
from fuda.training.registry import find_classifier
from fuda.training.samples import TokenSamples, read_folder, samples_of
from tests.records.test_import import foreign

SCRATCH = find_classifier("koikoi", "scratch")
TINY = replace(
    SCRATCH,
    shape=TokenShape(first=48, width=32, blocks=2, heads=4, hidden=48),
    epochs=(2, 2, 2),
    max_epochs=(3, 3, 3),
    batch=32,
    dropout=0.0,
)
NUM_MATCHES = 5


def played(seed: int) -> fuda.Match:
    match = fuda.game("koikoi", rounds=3).start(seed, players=["Anna", "Bo"])
    agent = fuda.agent("koikoi/classical")
    while not match.over:
        match.play(agent.choose(match))
    return match


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("games")
    for seed in range(NUM_MATCHES):
        (path / f"{seed}.json").write_text(json.dumps(foreign(played(seed))))
    return path


@pytest.fixture(scope="module")
def samples(folder):
    return samples_of(read_folder("koikoi", folder), encoding)


def plain_order(count: int) -> torch.Tensor:
    return torch.arange(encoding.NUM_TOKENS).expand(count, -1)


def legal_logits(net, samples: TokenSamples, index: torch.Tensor, orders: torch.Tensor) -> torch.Tensor:
    """Of samples whose tokens are exchanged."""
    columns = (samples.places, samples.progress, samples.legal, samples.num_legal)
    return samples.logits(net, *(column[index] for column in columns), orders)


def test_every_decision_is_a_sample(samples):
    """Kinds, choices and numbers of legal moves, against a replay move by move in text."""
    names = {"discard": 0, "pick": 1, "koikoi": 2}
    row, kinds = 0, Counter()
    for number in range(NUM_MATCHES):
        match = played(number)
        again = match.game.start(0, match.deals)
        for _, move in match.moves:
            legal = again.legal_actions()
            assert samples.match[row] == number
            assert samples.kind[row] == names[again.view(0)["phase"]]
            assert samples.num_legal[row] == len(legal)
            assert samples.legal[row, : len(legal)].tolist() == list(legal.values())
            assert samples.legal[row, samples.choice[row]] == legal[move]
            kinds[again.view(0)["phase"]] += 1
            again.play(move)
            row += 1
    assert len(samples) == row
    assert all(kinds[name] == (samples.kind == kind).sum() > 5 for name, kind in names.items())


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no games"):
        read_folder("koikoi", tmp_path)


def test_folds_split_by_match():
    folds = folds_of(23, 5, seed=3)
    assert sorted(torch.bincount(folds).tolist()) == [4, 4, 5, 5, 5]
    assert torch.equal(folds, folds_of(23, 5, seed=3))
    assert not torch.equal(folds, folds_of(23, 5, seed=4))


def test_cross_validation_never_trains_on_what_it_tests(samples, monkeypatch):
    """Every run's samples and watched samples share no match, and each match is tested once."""
    runs = []

    def spy(learner, index, epochs, watched):
        match = learner.samples.match
        runs.append((match[index].unique(), match[watched].unique()))
        return None, np.zeros((epochs, len(watched), 2), bool)

    monkeypatch.setattr(cross_validation, "fit", spy)
    found = cross_validate(Classifier(TINY, samples), "discard")
    assert len(runs) == 10 + 5
    for learned, tested in runs:
        assert not set(learned.tolist()) & set(tested.tolist())
        assert len(learned) + len(tested) == NUM_MATCHES
    outer = [match for _, tested in runs[10:] for match in tested.tolist()]
    assert sorted(outer) == list(range(NUM_MATCHES))
    assert found.num_samples.sum() == (samples.kind == 0).sum()


def test_the_number_of_epochs_is_chosen_without_the_fold(samples, monkeypatch):
    """Planted hits: on fold 0 the second epoch is best, on all others the third."""
    folds = folds_of(NUM_MATCHES, 5, TINY.seed)

    def planted(learner, index, epochs, watched):
        curve = np.zeros((epochs, len(watched), 2), bool)
        in_first = folds[samples.match[watched]].numpy() == 0
        curve[1, in_first] = curve[2, ~in_first] = True
        return None, curve

    monkeypatch.setattr(cross_validation, "fit", planted)
    found = cross_validate(Classifier(TINY, samples), "discard")
    assert found.chosen.tolist() == [3] * 5
    in_first = found.folds == 0
    assert (found.hits[in_first] == 0).all()
    assert (found.hits[~in_first] == found.num_samples[~in_first, :, None]).all()
    assert (found.best_hits == found.num_samples[:, :, None]).all()
    assert found.epochs == 3


def test_cross_validation_counts_what_it_should(samples):
    """A match's hits are those of a network that was trained on the other folds, kind by kind."""
    recipe = replace(TINY, shared=True, epochs=(2,), max_epochs=(2,))
    learner = Classifier(recipe, samples)
    found = cross_validate(learner, "shared")
    assert found.curves.shape == (2, NUM_MATCHES, 3, 2)
    assert (found.hits <= found.num_samples[:, :, None]).all()
    assert (found.hits[..., 0] <= found.hits[..., 1]).all()
    assert found.hits[..., 1].sum() <= found.best_hits[..., 1].sum()
    mine = samples.match == 3  # each fold is one match here
    tested = mine.nonzero()[:, 0]
    net, _ = fit(learner, (~mine).nonzero()[:, 0], 2)
    hit = samples.hits(net, tested)
    for kind in range(3):
        expected = hit[samples.kind[tested] == kind].sum(dim=0)
        assert found.curves[1, 3, kind].tolist() == expected.tolist()
        assert found.num_samples[3, kind] == (samples.kind[tested] == kind).sum()


def test_a_small_network_learns_a_few_matches_by_heart(samples):
    index = torch.arange(80)  # two rounds and more, with all kinds of decisions
    assert len(samples.kind[index].unique()) == 3
    recipe = replace(TINY, learning_rate=3e-3, warmup_steps=10, symmetries=False, average=0.9)
    net, curve = fit(Classifier(recipe, samples), index, 70, index)
    assert curve[0, :, 1].mean() < 0.7
    assert curve[-1, :, 1].mean() > 0.95
    logits = legal_logits(net, samples, index, plain_order(len(index)))
    expected = (logits.argmax(dim=1) == samples.choice[index]).sum()
    assert abs(int(curve[-1, :, 0].sum()) - int(expected)) <= 2  # but for ties by rounding


def test_equal_cards_are_one_choice(samples):
    """The network's own choice by plain Python: the first of the best; an equal card has its attributes."""
    torch.manual_seed(1)
    net = first_network(TINY)
    index = torch.arange(len(samples))
    rows = torch.from_numpy(encoding.ATTRIBUTES)[samples.legal]
    equal = (rows == rows[index, samples.choice][:, None]).all(dim=2)
    equal &= torch.arange(samples.legal.shape[1]) < samples.num_legal[:, None]
    last = (equal * torch.arange(1, samples.legal.shape[1] + 1)).argmax(dim=1)
    samples = replace(samples, choice=last)  # the other of two equal cards, where there are two
    found = samples.hits(net, index)
    logits = legal_logits(net, samples, index, plain_order(len(index))).tolist()
    num_equal = 0
    for row in range(len(samples)):
        legal, choice = samples.legal[row].tolist(), int(samples.choice[row])
        best = min(place for place, value in enumerate(logits[row]) if value > max(logits[row]) - 1e-4)
        equal = (encoding.ATTRIBUTES[legal[best]] == encoding.ATTRIBUTES[legal[choice]]).all()
        assert found[row].tolist() == [best == choice, bool(equal)]
        num_equal += bool(equal) and best != choice
    assert num_equal > 0


@pytest.mark.parametrize("number", range(4))
def test_an_equal_position_is_what_the_rules_say(number):
    """A symmetry of the encoding is one of the game: exchange cards in a match, replay, encode."""
    order = encoding.SYMMETRIES[number]
    assert (order[order] == np.arange(encoding.NUM_TOKENS)).all()

    def exchanged(card: str) -> str:
        month, index = (int(part) for part in card.split("-"))
        other = int(order[4 * (month - 1) + index - 1])
        return f"{other // 4 + 1}-{other % 4 + 1}"

    match = played(1)
    deals = [
        {
            "dealer": deal["dealer"],
            "hands": [[exchanged(card) for card in hand] for hand in deal["hands"]],
            "field": [exchanged(card) for card in deal["field"]],
            "stock": [exchanged(card) for card in deal["stock"]],
        }
        for deal in match.deals
    ]
    twin = match.game.start(0, deals)
    for _, move in match.moves:
        twin.play(exchanged(move) if "-" in move else move)
    assert twin.scores == match.scores
    ours, theirs = samples_of([match], encoding), samples_of([twin], encoding)
    assert torch.equal(ours.progress, theirs.progress)
    bits, other_bits = (unpack(some.places, encoding.NUM_TOKENS) for some in (ours, theirs))
    assert torch.equal(bits[:, order], other_bits)
    # The network's logits of the twin are those that training sees for this symmetry.
    net = first_network(TINY)
    index = torch.arange(len(ours))
    orders = torch.from_numpy(order).expand(len(ours), -1)
    with torch.no_grad():
        seen = legal_logits(net, ours, index, orders)
        true = legal_logits(net, theirs, index, plain_order(len(ours)))
    place = (theirs.legal[:, None, :] == orders.gather(1, ours.legal)[:, :, None]).to(torch.uint8).argmax(2)
    real = torch.isfinite(seen)
    assert torch.allclose(seen[real], true.gather(1, place)[real], atol=1e-5)
    assert torch.equal(place.gather(1, ours.choice[:, None])[:, 0], theirs.choice)


def test_an_equal_position_is_the_position_with_other_suits(samples):
    """Moving the tokens is the same as exchanging suits in the attributes, bit for bit."""
    net = first_network(TINY)
    index = torch.arange(0, len(samples), 7)
    for order in torch.from_numpy(encoding.SYMMETRIES):
        twin = first_network(TINY)
        twin.load_state_dict(net.state_dict())
        twin.attributes.copy_(net.attributes[order])
        with torch.no_grad():
            moved = legal_logits(net, samples, index, order.expand(len(index), -1))
            renamed = legal_logits(twin, samples, index, plain_order(len(index)))
        assert torch.allclose(moved, renamed, atol=1e-5)


@pytest.mark.parametrize("dropout", [0.0, 0.2])
def test_same_seed_same_weights(samples, dropout):
    index = of_kinds(samples, [1])
    recipe = replace(TINY, dropout=dropout)
    first, again, other = (
        fit(Classifier(each, samples), index, 2)[0].state_dict()
        for each in (recipe, recipe, replace(recipe, seed=2))
    )
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


def test_a_run_knows_nothing_of_the_run_before(samples):
    learner = Classifier(replace(TINY, dropout=0.2), samples)
    index = of_kinds(samples, [2])
    first, _ = fit(learner, index, 2)
    fit(learner, of_kinds(samples, [0]), 1)
    again, _ = fit(learner, index, 2)
    ours, theirs = first.state_dict(), again.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize(
    "recipe", [TINY, replace(TINY, shared=True, epochs=(2,), max_epochs=(3,))], ids=["three", "shared"]
)
def test_an_exported_agent_plays_what_its_networks_say(samples, tmp_path, recipe):
    """Each decision by the network that learned its kind; its values have no unit and are not shown."""
    nets = fit_all(recipe, samples)
    export(tmp_path / "sl", recipe, nets, {"matches": NUM_MATCHES}, at="abc")
    agent = model_agent(tmp_path / "sl", "koikoi/sl")
    match = played(3)
    rows = (samples.match == 3).nonzero()[:, 0]
    again = match.game.start(0, match.deals)
    for row, (_, move) in zip(rows.tolist(), match.moves, strict=True):
        assert agent.values(again) is None
        found = agent.network_values(again.view_record(again.seat), np.array([again.seat]))[0]
        kind = encoding.DECISION_KINDS[samples.kind[row]]
        with torch.no_grad():
            net = nets["shared" if recipe.shared else kind]
            logits = legal_logits(net, samples, torch.tensor([row]), plain_order(1))[0]
        count = int(samples.num_legal[row])
        expected = dict(zip(samples.legal[row, :count].tolist(), logits[:count].tolist(), strict=True))
        assert found == pytest.approx(expected, abs=0.02)  # the file has half precision
        again.play(move)
    made = read_card(tmp_path / "sl").made
    assert made["matches"] == NUM_MATCHES
    assert made["recipe"]["seed"] == recipe.seed
    assert made["commit"]


def shipped(name: str) -> TokenTransformer:
    attributes, scales = (torch.from_numpy(rows) for rows in (encoding.ATTRIBUTES, encoding.PROGRESS_SCALES))
    return read_network(model_folders("koikoi")[name], attributes, scales)


def test_learning_starts_from_values(samples):
    """A model's choices at first, its values times the scale as logits; and it learns on from there."""
    recipe = replace(SCRATCH, start="sl", batch=16)
    values = shipped("sl")
    learner = Classifier(recipe, samples)
    index = torch.arange(32)
    with torch.no_grad():
        told = legal_logits(values, samples, index, plain_order(32))
        first = legal_logits(learner.average, samples, index, plain_order(32))
    assert torch.allclose(first, told * recipe.start_scale, atol=1e-3)
    net, _ = fit(learner, index, 1)
    assert not torch.equal(net.value.weight, learner.recipe.start_scale * values.value.weight)
    fit(learner, index, 0)
    assert torch.equal(learner.trainer.net.value.weight, recipe.start_scale * values.value.weight)


def test_learning_starts_from_a_network_that_tells_outcomes(samples):
    """All but what it says of an action is taken over."""
    learner = Classifier(replace(SCRATCH, start="rl-wp", batch=16), samples)
    outcomes = shipped("rl-wp")
    assert outcomes.value.out_features > 1
    assert learner.trainer.net.value.out_features == 1
    assert torch.equal(learner.trainer.net.last.query.weight, outcomes.last.query.weight)


def test_a_start_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"has no model nobody; there are .*rl-wp"):
        first_network(replace(TINY, start="nobody"))


def test_a_start_of_another_encoding_is_refused(monkeypatch):
    monkeypatch.setattr(encoding, "ENCODING_VERSION", 0)
    with pytest.raises(ValueError, match="encoding version 1; this fuda has 0"):
        first_network(replace(TINY, start="rl-wp"))


def test_a_recipe_with_wrong_lengths_is_refused():
    assert list(find_classifier("koikoi", "shared").networks) == ["shared"]
    with pytest.raises(ValueError, match="1 networks"):
        _ = replace(SCRATCH, shared=True).networks


class LowestCards:
    """Views of Gongzhu games in which everybody plays the lowest card that may be played."""

    num_equal = 1

    def __init__(self, num_matches: int):
        words, choice, match = [], [], []
        for seed in range(num_matches):
            played = fuda.game("gongzhu").start(seed)
            while not played.over:
                row = np.zeros((1, view_encoding.NUM_WORDS), np.int64)
                seat = played.seat
                view_encoding.encode_all(played.view_record(seat), np.array([seat]), row, 0, 1)
                lowest = min(played.legal_actions().items(), key=lambda move: move[1] % 13)
                words.append(row[0])
                choice.append(lowest[1])
                match.append(seed)
                played.play(lowest[0])
        self.words, self.choice, self.match = (
            torch.from_numpy(np.array(rows)) for rows in (words, choice, match)
        )
        self.kind = torch.zeros_like(self.match)
        self._input = word_input(view_encoding, 0, "cpu")

    def __len__(self) -> int:
        return len(self.words)

    def rows(self, numbers):
        return [self.words[numbers], self.choice[numbers]]

    def logits(self, net, words):
        illegal = words[:, view_encoding.LEGAL, None] >> torch.arange(52) & 1 == 0
        return net(self._input(words)).masked_fill(illegal, -torch.inf)

    @torch.no_grad()
    def hits(self, net, index):
        words, choice = self.rows(index)
        return (self.logits(net, words).argmax(dim=1) == choice)[:, None].expand(-1, 2)


def test_rows_of_any_game_can_be_learned():
    """A linear layer learns from 30 matches to play the lowest card in 10 others."""
    samples = LowestCards(40)
    recipe = replace(TINY, game="gongzhu", learning_rate=1e-2, warmup_steps=10)
    learner = Classifier(recipe, samples, lambda: torch.nn.Linear(view_encoding.NUM_COLUMNS, 52))
    held_out = samples.match >= 30
    _, curve = fit(learner, (~held_out).nonzero()[:, 0], 6, held_out.nonzero()[:, 0])
    assert curve[-1].mean() > 0.9
