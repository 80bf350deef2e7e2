"""Agents from model folders: loaded, listed, played; and every reason to refuse one."""

import functools
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

import fuda
from fuda.agents import agent_info, loader, model
from fuda.agents.model import model_folders
from fuda.core.threads import limited_to
from fuda.games.koikoi import encoding, winning
from fuda.nets import export
from fuda.nets.folder import ModelCard, read_card
from fuda.nets.token_transformer import TokenShape, TokenTransformer, unpack
from tests.games.koikoi.positions import start

torch.set_num_threads(1)  # test processes share the cores

SHAPE = TokenShape(first=16, width=8, blocks=2, heads=2, hidden=16)
TABLE = winning.induce(winning.first_gains(), 60)
PER_KIND = tuple((kind,) for kind in encoding.DECISION_KINDS)


def network(seed: int = 1) -> TokenTransformer:
    torch.manual_seed(seed)
    attributes, scales = torch.from_numpy(encoding.ATTRIBUTES), torch.from_numpy(encoding.PROGRESS_SCALES)
    return TokenTransformer(attributes, scales, encoding.NUM_PLACE_ROWS, SHAPE)


@functools.cache
def files(unit: str | None, kinds: tuple) -> dict[str, bytes]:
    """A model folder's files; exporting takes long enough to do it once."""
    scale = {"points": winning.POINTS_UNIT, "probability": winning.CHANCE_UNIT, None: 1.0}[unit]
    card = ModelCard("koikoi", 1, "encoding", 1, "Untrained", "Plays by chance.", unit, scale)
    networks = [(network(number), decisions) for number, decisions in enumerate(kinds)]
    with tempfile.TemporaryDirectory() as folder:
        export.write_model(Path(folder), card, networks, TABLE if unit == "probability" else None)
        return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


def write(folder: Path, unit: str | None = "points", kinds: tuple = (encoding.DECISION_KINDS,)) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files(unit, kinds).items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def folder(tmp_path) -> Path:
    return write(tmp_path / "model")


def positions(count: int = 60) -> list[fuda.Match]:
    """Positions of all kinds from random matches."""
    found = []
    agent = fuda.agent("koikoi/random", seed=3)
    match = fuda.game("koikoi").start(3)
    while len(found) < count:
        found.append(match.copy())
        match.play(agent.choose(match))
        if match.over:
            match = fuda.game("koikoi").start(len(found))
    return found


def by_torch(net: TokenTransformer, match: fuda.Match) -> dict[str, float]:
    """The network's values, straight from PyTorch."""
    views, seats = match.view_record(match.seat), np.array([match.seat])
    places = np.zeros((1, encoding.NUM_PLACE_ROWS), np.int64)
    progress = np.zeros((1, encoding.NUM_PROGRESS), np.int8)
    encoding.encode_all(views, seats, places, progress, 0, 1)
    actions = match.legal_actions()
    bits = unpack(torch.from_numpy(places), encoding.NUM_TOKENS).float()
    with torch.no_grad():
        values = net(bits, torch.from_numpy(progress).float(), torch.tensor([list(actions.values())]))
    return dict(zip(actions, values[0, :, 0].tolist(), strict=True))


def test_the_same_values_and_moves_as_in_pytorch(folder):
    agent = fuda.agent(str(folder))
    for match in positions():
        expected = by_torch(network(0), match)
        values = agent.values(match)
        assert set(values) == set(match.legal())
        for move, value in values.items():
            assert value == pytest.approx(winning.POINTS_UNIT * expected[move], abs=1e-2)
        assert values[agent.choose(match)] > max(values.values()) - 1e-3


def test_one_network_for_each_kind_of_decision(tmp_path):
    agent = fuda.agent(write(tmp_path, kinds=PER_KIND))
    seen = set()
    for match in positions():
        kind = ("discard", "pick", "koikoi").index(match.view(match.seat)["phase"])
        seen.add(kind)
        expected = by_torch(network(kind), match)
        for move, value in agent.values(match).items():
            assert value == pytest.approx(winning.POINTS_UNIT * expected[move], abs=1e-2)
    assert seen == {0, 1, 2}


def test_values_do_not_depend_on_the_batch_or_the_cores(tmp_path):
    agent = fuda.agent(write(tmp_path, kinds=PER_KIND))
    matches = positions(70)
    views = np.concatenate([match.view_record(match.seat) for match in matches]).view(np.recarray)
    seats = np.array([match.seat for match in matches])
    luck = np.zeros(len(seats), np.uint64)
    whole = agent.evaluate(views, seats, luck)
    with limited_to(1):
        assert agent.evaluate(views, seats, luck) == whole
    for k, match in enumerate(matches):
        alone = agent.evaluate(match.view_record(match.seat), np.array([match.seat]), luck[:1])
        assert alone[0] == pytest.approx(whole[k], abs=1e-5)


def test_a_chance_to_win_is_told_from_the_movers_side(tmp_path):
    agent = fuda.agent(write(tmp_path, "probability"))
    assert agent.info.unit == "probability"
    for match in positions(30):
        expected = by_torch(network(0), match)
        view = match.view_record(match.seat)[0]
        first = winning.win_chance_before(view, TABLE)
        before = first if match.seat == 0 else 1 - first
        for move, value in agent.values(match).items():
            assert 0 <= value <= 1
            raised = before + winning.CHANCE_UNIT * expected[move]
            assert value == pytest.approx(min(max(raised, 0), 1), abs=1e-3)


def test_values_without_a_unit_are_not_shown_but_can_be_asked_for(tmp_path):
    agent = fuda.agent(write(tmp_path, unit=None))
    match = positions(1)[0]
    assert agent.values(match) is None
    found = agent.network_values(match.view_record(match.seat), np.array([match.seat]))[0]
    named = {agent.spec.text.move_text(action): value for action, value in found.items()}
    assert named == pytest.approx(by_torch(network(0), match), abs=1e-3)


def test_equal_cards_are_a_tie_that_the_first_wins(folder):
    """1-3 and 1-4 are the same card to a network: the choice must not hang on rounding."""
    match = start(
        "1-3 1-4 2-3 2-4 3-3 3-4 4-3 4-4",
        "5-1 5-2 6-1 6-2 7-1 7-2 8-1 8-2",
        "9-1 9-2 10-1 10-2 11-1 11-2 12-1 12-2",
    )
    agent = fuda.agent(folder)
    values = agent.values(match)
    for month in range(1, 5):
        assert values[f"{month}-3"] == pytest.approx(values[f"{month}-4"], abs=1e-4)
    assert agent.choose(match).endswith("-3")


def test_a_duel_by_path(folder):
    result = fuda.duel("koikoi", str(folder), "koikoi/random", games=40, seed=1)
    assert result.games == 40
    assert fuda.duel("koikoi", str(folder), "koikoi/random", games=40, seed=1) == result
    assert fuda.duel("koikoi", str(folder), str(folder), games=2).games == 2


def test_a_stored_duel_is_one_of_the_same_weights(tmp_path):
    folder, out = write(tmp_path / "model"), tmp_path / "duel.json"
    result = fuda.duel("koikoi", str(folder), "koikoi/random", games=4, out=out)
    assert fuda.duel("koikoi", str(folder), "koikoi/random", games=4, out=out) == result
    assert json.loads(out.read_text())["weights"] == {str(folder): fuda.agent(folder).weights}
    write(folder, kinds=PER_KIND)  # trained on, as it were
    with pytest.raises(ValueError, match=re.escape(str(out))):
        fuda.duel("koikoi", str(folder), "koikoi/random", games=4, out=out)


def test_a_path_as_text_or_as_a_path_and_its_slash(folder):
    for given in (str(folder), folder, f"{folder}/"):
        assert fuda.agent(given).info.title == "Untrained"
    assert fuda.agent(str(folder)).name == str(folder)


def test_listed_with_the_others_without_loading_a_network(tmp_path, monkeypatch):
    write(tmp_path / "koikoi" / "mine")
    write(tmp_path / "koikoi" / "zen", unit="probability")
    (tmp_path / "koikoi" / "unfinished").mkdir()
    (tmp_path / "gongzhu").mkdir()
    monkeypatch.setattr(model, "MODELS", tmp_path)
    names = fuda.list_agents("koikoi")
    assert {"koikoi/mine", "koikoi/zen", "koikoi/random"} <= set(names)
    assert names == sorted(names)
    assert not any("unfinished" in name for name in fuda.list_agents())
    monkeypatch.setattr(model, "_session", lambda network: pytest.fail("a session was made"))
    (tmp_path / "koikoi" / "mine" / "model.onnx").unlink()
    learned = fuda.game("koikoi").learned_options
    assert agent_info("koikoi/mine") == fuda.agents.AgentInfo(
        "Untrained", "Plays by chance.", "points", learned_options=learned
    )
    assert agent_info("koikoi/zen").unit == "probability"
    assert agent_info("koikoi/random") == fuda.agent("koikoi/random").info


def test_a_shipped_model_by_name(tmp_path, monkeypatch):
    write(tmp_path / "koikoi" / "mine")
    monkeypatch.setattr(model, "MODELS", tmp_path)
    agent = fuda.agent("koikoi/mine", seed=4)
    assert agent.name == "koikoi/mine"
    match = fuda.game("koikoi").start(1)
    assert agent.choose(match) in match.legal()
    with pytest.raises(ValueError, match="koikoi/mine has no parameter 'strength'; it has none"):
        fuda.agent("koikoi/mine", strength=3)
    with pytest.raises(ValueError, match="a seed is a whole number"):
        fuda.agent("koikoi/mine", seed=-1)
    with pytest.raises(ValueError, match=r"there is no agent 'koikoi/theirs'; there are .*koikoi/mine"):
        fuda.agent("koikoi/theirs")


def changed(folder: Path, **entries: object) -> None:
    path = folder / "model.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))


def lines(folder: Path) -> dict:
    return json.loads((folder / "model.json").read_text())


REFUSALS = {
    "no card": (lambda f: (f / "model.json").unlink(), "there is no model.json in"),
    "no network": (lambda f: (f / "model.onnx").unlink(), "model.onnx is missing"),
    "another network": (lambda f: (f / "model.onnx").write_bytes(b"x"), "its SHA-256 differs"),
    "no JSON": (lambda f: (f / "model.json").write_text("{"), "is damaged: it is no JSON"),
    "no text": (lambda f: (f / "model.json").write_bytes(b"\xff\xfe"), "is damaged: it is no JSON"),
    "no object": (lambda f: (f / "model.json").write_text("[]"), "is not a card of format 1"),
    "another format": (lambda f: changed(f, fuda_model=2), "is not a card of format 1"),
    "no such entry": (lambda f: changed(f, colour="red"), "its entry colour is not as it should be"),
    "a wrong type": (lambda f: changed(f, scale="10"), "its entry scale is not as it should be"),
    "true is no number": (lambda f: changed(f, rules_version=True), "its entry rules_version is not"),
    "networks of nothing": (lambda f: changed(f, networks=[1]), "1 is no JSON object"),
    "a file elsewhere": (
        lambda f: changed(f, networks=[lines(f)["networks"][0] | {"file": "../model.onnx"}]),
        "its entry networks is not as it should be",
    ),
    "files elsewhere": (lambda f: changed(f, files_of="../other"), "its entry files_of is not as it should"),
    "files of nothing": (lambda f: changed(f, files_of="nobody"), "nobody/model.onnx is missing"),
    "other rules": (lambda f: changed(f, rules_version=2), "version 2 of the koikoi rules; here they have"),
    "another encoding": (lambda f: changed(f, encoding_version=9), "version 9 of encoding; here it has"),
    "no encoding": (lambda f: changed(f, encoding="rules"), "needs 'rules', which koikoi does not have"),
    "an encoding outside": (lambda f: changed(f, encoding="..os"), "which koikoi does not have"),
    "no game": (lambda f: changed(f, game="chess"), "plays 'chess', which is no game here"),
    "a unit": (lambda f: changed(f, unit="coins"), "has values in 'coins'"),
    "no networks": (lambda f: changed(f, networks=[]), "do not make each decision once"),
    "a decision twice": (
        lambda f: changed(f, networks=2 * lines(f)["networks"]), "do not make each decision once",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_refused_in_one_sentence(folder, name):
    spoil, sentence = REFUSALS[name]
    fuda.agent(folder)  # that it was good before must not help
    spoil(folder)
    with pytest.raises(ValueError, match=sentence) as error:
        fuda.agent(folder)
    assert str(error.value).isprintable()


def test_a_network_of_other_inputs_is_refused(tmp_path):
    torch.manual_seed(1)
    net = TokenTransformer(torch.zeros(50, 3), torch.ones(7), 5, SHAPE)
    card = ModelCard("koikoi", 1, "encoding", 1, "Untrained", "Plays.", "points", 1.0)
    export.write_model(tmp_path, card, [(net, encoding.DECISION_KINDS)])
    with pytest.raises(ValueError, match="takes other inputs than encoding gives"):
        fuda.agent(tmp_path)


def test_what_a_network_says_is_read_from_the_network_not_from_its_card(tmp_path):
    """Else it would be read as something else, without a word."""
    write(tmp_path, "probability")
    match = fuda.game("koikoi").start(1)
    values = fuda.agent(tmp_path).values(match)
    first = lines(tmp_path)["networks"][0]
    for outputs in (1, "a"):
        changed(tmp_path, networks=[first | {"shape": first["shape"] | {"outputs": outputs}}])
        assert fuda.agent(tmp_path).values(match) == values


def test_a_file_that_is_no_network_is_refused(folder):
    (folder / "model.onnx").write_bytes(b"nonsense")
    first = lines(folder)["networks"][0] | {"sha256": hashlib.sha256(b"nonsense").hexdigest()}
    changed(folder, networks=[first])
    with pytest.raises(ValueError, match="is no network: "):
        fuda.agent(folder)


@pytest.mark.parametrize("name", ["model.json", "model.onnx"])
def test_what_is_no_file_of_a_disk_is_refused(folder, name):
    (folder / name).unlink()
    os.mkfifo(folder / name)  # nobody writes to it: whoever opened it would wait for ever
    with pytest.raises(ValueError, match="it is no regular file"):
        fuda.agent(folder)
    (folder / name).unlink()
    (folder / name).symlink_to("/dev/zero")
    with pytest.raises(ValueError, match="it is no regular file"):
        fuda.agent(folder)


def test_a_card_that_is_nested_too_deeply_is_refused(folder):
    (folder / "model.json").write_text("[" * 10**6)
    with pytest.raises(ValueError, match="is damaged: it is no JSON"):
        fuda.agent(folder)


def with_network(folder: Path, model: onnx.ModelProto) -> None:
    """The folder with another network, and a card that says so."""
    content = model.SerializeToString()
    (folder / "model.onnx").write_bytes(content)
    first = lines(folder)["networks"][0] | {"sha256": hashlib.sha256(content).hexdigest()}
    changed(folder, networks=[first])


def test_a_network_with_weights_in_another_file_is_refused(folder):
    """It could name any file of the machine."""
    model = onnx.load(folder / "model.onnx")
    tensor = model.graph.initializer[0]
    onnx.external_data_helper.set_external_data(tensor, "/etc/passwd")
    tensor.ClearField("raw_data")
    with_network(folder, model)
    with pytest.raises(ValueError, match="is no network: 'its weights are in another file'"):
        fuda.agent(folder)
    hidden = onnx.load(folder / "model.onnx", load_external_data=False)
    del hidden.graph.initializer[0]
    hidden.graph.node.append(onnx.helper.make_node("Constant", [], ["x"], value=tensor))
    with_network(folder, hidden)
    with pytest.raises(ValueError, match="is no network: 'its weights are in another file'"):
        fuda.agent(folder)


def test_a_table_that_claims_to_be_larger_than_its_file_is_refused(tmp_path):
    write(tmp_path, "probability")
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (10**11,)})
    (tmp_path / "table.npy").write_bytes(header.getvalue() + bytes(100))  # 400 GB, says the header
    changed(tmp_path, table_sha256=hashlib.sha256((tmp_path / "table.npy").read_bytes()).hexdigest())
    with pytest.raises(ValueError, match=r"table\.npy is damaged: it is not the table that it says it is"):
        fuda.agent(tmp_path)


def test_a_model_of_chances_needs_its_table(tmp_path):
    write(tmp_path, "probability")
    (tmp_path / "table.npy").write_bytes(b"other")
    with pytest.raises(ValueError, match=r"table\.npy is not the file"):
        fuda.agent(tmp_path)
    (tmp_path / "table.npy").unlink()
    with pytest.raises(ValueError, match=r"table\.npy is missing"):
        fuda.agent(tmp_path)
    changed(tmp_path, table_sha256="")
    with pytest.raises(ValueError, match="need the table"):
        fuda.agent(tmp_path).values(fuda.game("koikoi").start(1))


def test_the_folder_of_a_run_tells_where_its_model_is(tmp_path):
    write(tmp_path / "model")
    with pytest.raises(ValueError, match=f"its model is in {tmp_path / 'model'}"):
        fuda.agent(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"there is no model\.json in"):
        fuda.agent(tmp_path / "empty")


def test_another_game_is_refused_at_the_table(folder):
    with pytest.raises(ValueError, match="does not play gongzhu"):
        fuda.duel("gongzhu", str(folder), "gongzhu/random", games=2)


def test_playing_needs_no_torch(folder):
    program = (
        "import sys, fuda\n"
        "agent = fuda.agent(sys.argv[1])\n"
        "print(agent.choose(fuda.game('koikoi').start(1)))\n"
        "assert not {'torch', 'onnx'} & set(sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == fuda.agent(folder).choose(fuda.game("koikoi").start(1))


def test_the_loader_knows_no_model_twice():
    """A model's name hides no player of the game's own."""
    for game in fuda.list_games():
        spec = fuda.game(game).spec
        own = {
            "random",
            *(policy.name for policy in spec.policies),
            *spec.players.get("search", {}),
        }
        assert not own & set(loader.model_players(game))


@pytest.mark.parametrize("folder", sorted(model.MODELS.glob("*/*")), ids=lambda folder: folder.name)
def test_every_shipped_model_has_a_card_for_people(folder):
    text = (folder / "CARD.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {folder.parent.name}/{folder.name}\n")
    for part in ("How it was made", "Results", "Known weaknesses", "Licence"):
        assert f"**{part}.**" in text
    assert "{" not in text  # nothing was left to fill in


def test_shipped_models_stay_small():
    """People fetch them with the repository."""
    sizes = {path: path.stat().st_size for path in model.MODELS.rglob("*") if path.is_file()}

    def total(folder: Path) -> float:
        return sum(size for path, size in sizes.items() if path.is_relative_to(folder)) / 2**20

    assert max(sizes.values()) <= 15 * 2**20
    assert 0 < total(model.MODELS / "gongzhu" / "best") < 8
    assert total(model.MODELS / "gongzhu") < 14
    assert total(model.MODELS) < 60


def test_a_model_may_have_the_files_of_one_beside_it(folder):
    beside = folder.parent / "beside"
    beside.mkdir()
    (beside / "model.json").write_text((folder / "model.json").read_text())
    changed(beside, files_of=folder.name, title="Beside")
    match = fuda.game("koikoi").start(3)
    one, other = fuda.agent(folder), fuda.agent(beside)
    assert other.info.title == "Beside"
    assert one.weights == other.weights
    assert one.values(match) == other.values(match)


def test_a_model_may_share_all_but_its_last_layer(folder, bench_script):
    """By the script that makes it so: another's file with own bytes in it, checked by its own hash."""
    share = functools.partial(bench_script("share_file").share, most=0.5)  # of a small network it is more
    net, beside = network(0), folder.parent / "beside"
    torch.nn.init.normal_(net.value.weight)
    card = ModelCard("koikoi", 1, "encoding", 1, "Beside", "Plays by chance.", "points", winning.POINTS_UNIT)
    export.write_model(beside, card, [(net, encoding.DECISION_KINDS)])
    match = fuda.game("koikoi").start(3)
    before = fuda.agent(beside)
    values = before.values(match)
    kept = share(beside, folder)
    assert 0 < kept < 100
    assert not (beside / "model.onnx").exists()
    after = fuda.agent(beside)
    assert after.weights == before.weights != fuda.agent(folder).weights
    assert after.values(match) == values != fuda.agent(folder).values(match)
    with pytest.raises(ValueError, match="share nothing that is worth it, or all"):
        share(folder, folder)
    (beside / "last.bin").write_bytes(b"x" * kept)
    with pytest.raises(ValueError, match="its SHA-256 differs"):
        fuda.agent(beside)
    changed(beside, networks=[lines(beside)["networks"][0] | {"part": "../last.bin"}])
    with pytest.raises(ValueError, match="its entry networks is not as it should be"):
        fuda.agent(beside)


def test_no_file_ships_twice():
    hashes = [network.sha256 for card, own in shipped() for network in card.networks if own]
    assert len(hashes) == len(set(hashes))
    assert not all(own for _, own in shipped())


def shipped() -> list[tuple[ModelCard, bool]]:
    """The cards of all shipped models, and whether their files are in their own folders."""
    folders = [folder for game in fuda.list_games() for folder in model_folders(game).values()]
    return [(card := read_card(folder), not card.files_of) for folder in folders]
