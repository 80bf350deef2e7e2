"""A damaged record is refused, with file and line; it never gives a match that was not played."""

import copy
import json
import os
import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda
from fuda.records import load, save
from fuda.records.files import MAX_BYTES


def play(match: fuda.Match, seed: int, rounds: int | None = None) -> fuda.Match:
    luck = random.Random(seed)
    while not match.over and (rounds is None or len(match.deals) <= rounds):
        match.play(luck.choice(match.legal()))
    return match


@cache
def finished() -> fuda.Match:
    return play(fuda.game("koikoi", rounds=2).start(21, players=["Anna", "Bo"]), 21)


@cache
def unfinished() -> fuda.Match:
    """In its second round, with explicit deals, one of them still to come."""
    source = play(fuda.game("koikoi", rounds=3, points=50).start(8), 8)
    match = fuda.game("koikoi", rounds=3, points=50).start(9, deal=source.deals)
    for _, move in source.moves:
        if len(match.deals) == 2 and len(match.view(0)["turns"]) == 4:
            break
        match.play(move)
    assert "deals_ahead" in match.record()
    return match


@pytest.fixture(params=[finished, unfinished], ids=["finished", "unfinished"])
def match(request) -> fuda.Match:
    return request.param()


def text_of(match: fuda.Match, folder) -> str:
    save(match, folder / "good.jsonl")
    return (folder / "good.jsonl").read_text("utf-8")


def refused(folder, content: str | bytes) -> str:
    """The sentence with which a file of this content is refused; it names file and line."""
    path = folder / "bad.jsonl"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(fuda.RecordError) as error:
        load(path)
    sentence = str(error.value)
    assert isinstance(error.value, ValueError)
    place, _, why = sentence.removeprefix(f"{path}:").partition(": ")
    assert sentence.startswith(f"{path}:"), sentence
    assert place.isdecimal(), sentence
    assert why
    assert sentence.isprintable()
    return sentence


def line_of(sentence: str) -> int:
    return int(sentence.partition("bad.jsonl:")[2].partition(":")[0])


def test_cut_at_any_byte(match, tmp_path):
    content = text_of(match, tmp_path).encode()
    for length in range(len(content)):
        refused(tmp_path, content[:length])


def test_a_line_dropped_doubled_or_swapped(match, tmp_path):
    lines = text_of(match, tmp_path).splitlines(keepends=True)
    header = json.loads(lines[0])
    for number in range(len(lines)):
        dropped = lines[:number] + lines[number + 1 :]
        doubled = lines[: number + 1] + lines[number:]
        refused(tmp_path, "".join(dropped))
        refused(tmp_path, "".join(doubled))
        if number == 0:
            continue
        for changed in (dropped, doubled):  # with a header that has been made to agree
            told = json.dumps(header | {"events": len(changed) - 1}) + "\n"
            if changed is dropped and not match.over and number == len(lines) - 1:
                continue  # a shorter unfinished match, which is good
            refused(tmp_path, "".join([told, *changed[1:]]))
        if number + 1 < len(lines):
            swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
            assert line_of(refused(tmp_path, "".join(swapped))) in (number, number + 1, number + 2)


def test_every_changed_event_is_refused_on_its_line(match, tmp_path):
    """Each value in each event, replaced by others of its kind and by other kinds."""
    lines = text_of(match, tmp_path).splitlines(keepends=True)
    for number in range(1, len(lines)):
        for changed in changes(json.loads(lines[number])):
            bad = [*lines[:number], json.dumps(changed) + "\n", *lines[number + 1 :]]
            path = tmp_path / "bad.jsonl"
            path.write_text("".join(bad), "utf-8")
            found, sentence = outcome(path)
            if found is None:
                # A move that is legal but not the one played shows only later.
                assert line_of(sentence) >= number + 1
                continue
            # Another legal last move of an unfinished match, or cards that nobody has seen
            # yet: a good record of another match. It must be what the file says.
            assert not match.over or "deal" in changed
            assert found.record()["events"] == [json.loads(line) for line in bad[1:]]


def outcome(path) -> tuple[fuda.Match | None, str]:
    try:
        return load(path), ""
    except fuda.RecordError as error:
        return None, str(error)


def changes(event: dict) -> list:
    found: list = [None, 7, "x", [], {}, [event], event | {"extra": 1}]
    for key, value in event.items():
        found.append({name: kept for name, kept in event.items() if name != key})
        found += [event | {key: other} for other in (None, True, 1.5, "", "99-9", -1, 2, [], {}, [0, 0])]
        if key == "move":
            found += [event | {key: other} for other in (value + " ", value.upper() + "x", "stop", "koikoi")]
        if key == "seat":
            found += [event | {key: other} for other in (1 - value, bool(value), str(value), float(value))]
        if key == "scores":
            found += [event | {key: other} for other in ([*value[::-1], 0], [score + 1 for score in value])]
            found.append(event | {key: [float(score) for score in value]})
        if key == "deal":
            found += [{key: deal} for deal in changed_deals(value)]
    return [changed for changed in found if changed != event or repr(changed) != repr(event)]


def changed_deals(deal: dict) -> list[dict]:
    found = []
    for key in deal:
        found.append({name: kept for name, kept in deal.items() if name != key})
        found += [deal | {key: other} for other in (None, [], {}, "x", 2, True)]
    deal = copy.deepcopy(deal)
    found.append(deal | {"dealer": 1 - deal["dealer"]})
    found.append(deal | {"hands": deal["hands"][::-1]})
    found.append(deal | {"field": deal["field"][:7] + deal["field"][:1]})
    found.append(deal | {"field": deal["field"][::-1]})
    found.append(deal | {"stock": deal["stock"][::-1]})
    found.append(deal | {"stock": deal["stock"][:-1]})
    return found


HEADERS = {
    "fuda_record": [0, 2, -1, 1.0, "1", None, True, 10**60, []],
    "game": ["chess", "", None, 7, [], {}, "../koikoi", "koikoi "],
    "rules_version": [0, 2, 1.0, "1", None, True],
    "options": [
        {},
        None,
        [],
        {"rounds": 2},
        {"rounds": 0, "points": 30},
        {"rounds": 2, "points": True},
        {"rounds": 2, "points": 30, "x": 1},
        {"rounds": 2.0, "points": 30},
        {"rounds": "2", "points": 30},
        {"rounds": 3, "points": 30},
        {"rounds": 1, "points": 30},
        {"rounds": 2, "points": 31},
    ],
    "players": [None, [], ["Anna"], ["Anna", "Bo", "Cy"], ["Anna", 2], "AB", ["Anna", "B\n"], ["x" * 81, ""]],
    "seed": [-1, 1.5, "21", True, [], 2**128],
    "events": [0, 1, 10**9, None, "3", [], True],
}


@pytest.mark.parametrize("key", HEADERS)
def test_changed_header(key, tmp_path):
    first, *rest = text_of(finished(), tmp_path).splitlines(keepends=True)
    header = json.loads(first)
    assert set(HEADERS) == set(header)
    for value in HEADERS[key]:
        refused(tmp_path, json.dumps(header | {key: value}) + "\n" + "".join(rest))
    del header[key]
    assert line_of(refused(tmp_path, json.dumps(header) + "\n" + "".join(rest))) == 1


@pytest.mark.parametrize("ahead", [None, [], {}, [None], [{}], ["x"], 5])
def test_changed_deals_ahead(match, ahead, tmp_path):
    first, *rest = text_of(match, tmp_path).splitlines(keepends=True)
    header = json.loads(first) | {"deals_ahead": ahead}
    assert line_of(refused(tmp_path, json.dumps(header) + "\n" + "".join(rest))) == 1


def test_more_deals_than_rounds(tmp_path):
    record = finished().record()
    record["deals_ahead"] = [finished().deals[0]]
    with pytest.raises(fuda.RecordError):
        fuda.replay(record)


PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\n", b"\n\n\n", b" ", b"\0", b"x", b"x\n", PNG, PNG + b"\n", b"\xff\xfe{\0}\0\n\0",
        b"null\n", b"7\n", b'"text"\n', b"[]\n", b"[1, 2]\n", b"{}\n", b'{"fuda_record": 1}\n', b"NaN\n",
        b'{"info": {}, "record": {}, "result": {}}\n', b"[" * 100_000 + b"\n", b'{"a":' * 100_000 + b"\n",
        b"[" * 100_000 + b"]" * 100_000 + b"\n", b"9" * 10_000 + b"\n", b"<!doctype html>\n<p>404\n",
        "\N{LINE SEPARATOR}\n".encode(), b"\xed\xa0\x80\n",
    ],
)  # fmt: skip
def test_something_else_altogether(content, tmp_path):
    assert line_of(refused(tmp_path, content)) == 1


def test_text_that_json_would_let_pass(tmp_path):
    text = text_of(finished(), tmp_path)
    lines = text.splitlines(keepends=True)
    refused(tmp_path, "\N{ZERO WIDTH NO-BREAK SPACE}" + text)
    refused(tmp_path, text + "\n")
    refused(tmp_path, "\n" + text)
    refused(tmp_path, text.replace('"seed": 21', '"seed": 21, "seed": 21'))
    refused(tmp_path, text.replace('"seed": 21', '"seed": NaN'))
    refused(tmp_path, text.replace('"seed": 21', '"seed": Infinity'))
    refused(tmp_path, text.replace('"seed": 21', '"seed": 21.0'))
    refused(tmp_path, text.replace('"seed": 21', '"seed": 2' + "1" * 5000))
    refused(tmp_path, "[" + ",".join(lines) + "]\n")
    refused(tmp_path, text.replace("\n", "\r"))
    refused(tmp_path, text.replace("\n", " "))
    twice = lines[2].replace("{", '{"seat": 0, ', 1)
    assert line_of(refused(tmp_path, "".join([*lines[:2], twice, *lines[3:]]))) == 3
    nested = '{"move": ' + "[" * 100_000 + "]" * 100_000 + ', "seat": 0}\n'
    assert line_of(refused(tmp_path, "".join([*lines[:2], nested, *lines[3:]]))) == 3


def test_not_utf8_is_found_on_its_line(tmp_path):
    lines = text_of(finished(), tmp_path).encode().splitlines(keepends=True)
    bad = [*lines[:4], lines[4].replace(b'"', b"\xff", 1), *lines[5:]]
    assert line_of(refused(tmp_path, b"".join(bad))) == 5
    assert line_of(refused(tmp_path, "".join(text_of(finished(), tmp_path)).encode("utf-16"))) == 1


def test_windows_line_ends_give_the_same_match(tmp_path):
    """What a mail program or git may do to a file; JSON does not mind, and nothing is lost."""
    (tmp_path / "crlf").write_bytes(text_of(finished(), tmp_path).replace("\n", "\r\n").encode())
    assert load(tmp_path / "crlf").record() == finished().record()


@pytest.mark.parametrize("name", ["missing", "folder", "file/under", "n" * 300])
def test_what_cannot_be_read(name, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(fuda.RecordError, match="cannot read") as error:
        load(tmp_path / name)
    assert str(tmp_path / name) in str(error.value)


def test_what_is_too_long_to_be_a_record(tmp_path):
    (tmp_path / "long").write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(fuda.RecordError, match="long: the file is larger than 16 MiB; it is no record"):
        load(tmp_path / "long")


def test_what_is_no_file_of_a_disk(tmp_path):
    """A pipe that nobody writes to would keep its reader for ever, and this device never ends."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(fuda.RecordError, match=f"{path}: it is no regular file; it is no record"):
            load(path)


def test_what_is_nested_too_deeply(tmp_path):
    (tmp_path / "deep").write_text("[" * 10**6 + "\n")
    with pytest.raises(fuda.RecordError, match="deep:1: not JSON as records have it"):
        load(tmp_path / "deep")


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_any_changed_byte_is_refused_or_is_what_the_file_says(data, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    content = bytearray(text_of(finished(), folder).encode())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] = data.draw(st.integers(0, 255))
    path = folder / "changed.jsonl"
    path.write_bytes(content)
    match, _ = outcome(path)
    if match is None:
        return
    lines = content.decode().removesuffix("\n").split("\n")  # a carriage return is but a space of JSON's
    header, *events = [json.loads(line) for line in lines]
    assert match.record() == header | {"events": events}
    assert match.moves == finished().moves  # only seed, names or unseen stock may differ
    assert match.scores == finished().scores


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(JSON)
def test_replay_of_anything_else(thing):
    with pytest.raises(fuda.RecordError):
        fuda.replay(thing)


@settings(deadline=None)
@given(key=st.sampled_from(sorted(HEADERS)), value=JSON)
def test_replay_with_any_value_for_a_key(key, value):
    record = finished().record() | {key: value}
    if key == "players" and isinstance(value, list) and len(value) == 2:
        return  # may be good names
    if key == "seed" and (value is None or (type(value) is int and value >= 0)):
        return
    if repr(record[key]) == repr(finished().record()[key]):
        return
    with pytest.raises(fuda.RecordError):
        fuda.replay(record)
