"""`fuda review`: the same as `fuda.review`, in words, as JSON and as a page; bad input is one sentence."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import fuda
from fuda.explain.review_words import headline, standing_line
from fuda.records import load, save

AGENT = "gongzhu/best-raw"


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """The file of a random match."""
    path = tmp_path_factory.mktemp("record") / "match.jsonl"
    match, agent = fuda.game("gongzhu").start(4, players=["<A>", "B", "C", "D"]), fuda.agent("gongzhu/random")
    while not match.over:
        match.play(agent.choose(match))
    save(match, path)
    return path


@pytest.fixture(scope="module")
def reviewed(record):
    return fuda.review(load(record), 2)


class Reader(HTMLParser):
    """The tags of a page, its text, and whether every tag is closed where it should be."""

    def __init__(self, page):
        super().__init__()
        self.open, self.found, self.text = [], [], ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "line", "polyline"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_json_is_what_python_says(run, record, reviewed):
    code, out, err = run("review", record, "--seat", 2, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == json.loads(json.dumps(reviewed.as_dict()))
    assert json.loads(out)["agent"] == AGENT


def test_in_words(run, record, reviewed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    code, out, err = run("review", record, "--seat", 2)
    assert (code, err) == (0, "")
    costly = sum(one.cost >= 0.05 for one in reviewed.decisions)  # what is shown as more than 0.0
    assert f"You gave away {reviewed.cost:.1f} points in {costly} moves" in out
    assert standing_line(reviewed) in out
    assert reviewed.mistakes
    rows = [line.split() for line in out.splitlines() if line.startswith("move ")]
    assert [row[1:6] for row in rows] == [
        [str(one.index + 1), one.move, one.best, f"{one.cost:.1f}", "points"] for one in reviewed.mistakes
    ]


def test_a_page_in_one_file_without_a_request(run, record, reviewed, tmp_path):
    code, out, _ = run("review", record, "--seat", 2, "--html")
    assert code == 0
    page = Reader(out)
    assert page.open == []
    tags = [tag for tag, _ in page.found]
    assert not {"script", "link", "img", "iframe", "object"} & set(tags)
    assert not any({"src", "href", "xlink:href"} & set(attributes) for _, attributes in page.found)
    assert "http" not in out
    assert "url(" not in out
    assert standing_line(reviewed) in page.text
    assert tags.count("circle") == len(reviewed.mistakes)
    (curve,) = (attributes["points"] for tag, attributes in page.found if tag == "polyline")
    assert len(curve.split()) == 2 * len(reviewed.decisions) + 2
    for one in reviewed.decisions:
        assert f"move {one.index + 1}" in page.text
    target = tmp_path / "review.html"
    assert run("review", record, "--seat", 2, "--html", "--out", target)[:2] == (0, "")
    assert target.read_text() == out


def test_rules_that_the_reviewer_did_not_learn_are_named(run, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    match = fuda.game("koikoi", rounds=1, seven="on").start(4)
    for _ in range(3):
        match.play(match.legal()[0])
    path = tmp_path / "match.jsonl"
    save(match, path)
    said = "koikoi/rl-wp did not learn seven=on: its figures are for the rules that it knows."
    assert said in run("review", path)[1]
    assert said in Reader(run("review", path, "--html")[1]).text
    assert json.loads(run("review", path, "--json")[1])["unlearned"] == {"seven": "on"}


def test_a_match_under_the_rules_that_it_learned_has_no_such_line(run, record, reviewed):
    assert reviewed.unlearned == {}
    assert "did not learn" not in run("review", record, "--seat", 2)[1]


def test_the_headline_counts_the_moves_whose_cost_is_to_be_seen(reviewed):
    costs = [0.04, 0.0, 3.0, 0.06]
    decisions = [replace(reviewed.decisions[0], cost=cost) for cost in costs]
    assert "in 2 moves;" in headline(replace(reviewed, decisions=decisions))
    assert "You gave nothing away;" in headline(replace(reviewed, decisions=decisions[:2], cost=0.04))


def test_names_are_text_in_the_page(run, record):
    _, out, _ = run("review", record, "--html")
    assert "<A>" in Reader(out).text
    assert "<A>" not in out


def test_an_agent_by_name(run, record):
    code, out, _ = run("review", record, "--agent", "gongzhu/scrofazero-raw", "--json")
    assert code == 0
    assert json.loads(out)["agent"] == "gongzhu/scrofazero-raw"


def test_bad_input_is_one_sentence(refused, record, tmp_path):
    cut = tmp_path / "cut.jsonl"
    cut.write_text(record.read_text()[:-9])
    assert f"{cut}:" in refused("review", cut)
    assert "cannot read" in refused("review", tmp_path / "none.jsonl")
    assert "a seat is 0 to 3, not 4" in refused("review", record, "--seat", 4)
    assert "does not tell what moves are worth" in refused("review", record, "--agent", "gongzhu/greed")
    assert "not both" in refused("review", record, "--json", "--html")
    assert "exists" in refused("review", record, "--html", "--out", cut)
    assert "--json or --html" in refused("review", record, "--out", tmp_path / "new")
    empty = tmp_path / "empty.jsonl"
    save(fuda.game("koikoi").start(0), empty)
    assert "nothing was played" in refused("review", empty)
