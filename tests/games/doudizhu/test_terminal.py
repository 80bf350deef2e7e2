"""The table in a terminal of 80 columns, events in words, and what people may type."""

import io
import itertools
import random
import re
from collections import Counter

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.games.doudizhu import SPEC, moves, terminal
from fuda.games.doudizhu.moves import NUM_MOVES, RANKS
from fuda.games.doudizhu.text import move_text

NAMES = ["You", "RHCP 1", "RHCP 2"]
DECK = Counter("3456789TJQKA2" * 4 + "BR")
LEFT_OUT = re.compile(r"and (\d+) more with kickers")
# Landlord 3 to 7 with all four of each, bottom 377; the jokers are with seat 2.
DEAL = {
    "hands": ["33334444555566667777", "88889999TTTTJJJJQ", "QQQKKKKAAAA2222BR"],
    "bottom": "377",
}
BIDDING_DEAL = {"hands": ["33334444555566667", *DEAL["hands"][1:]], "bottom": "777"}


def drawn(view, names=NAMES):
    console = Console(width=80, file=io.StringIO(), highlight=False)
    numbers = terminal.number(terminal.order(view.get("legal", [])))
    console.print(terminal.draw(view, names, numbers))
    return console.file.getvalue()


def move_lines(text):
    """The part of a screen below the hand."""
    return text[text.rindex("╯") + 1 :].splitlines()[1:-1]


def listed(text):
    """The moves on a screen, each with its number."""
    found = {}
    for line in move_lines(text):
        if LEFT_OUT.search(line):
            continue
        label, cells = line[: terminal.LABEL_WIDTH], line[terminal.LABEL_WIDTH :]
        if label.startswith("pass"):
            found["pass"] = int(cells)
        elif label.startswith("bids"):
            for number, words in re.findall(r"(\d+) (no bid|bid \d)", cells):
                found["bid0" if words == "no bid" else words.replace(" ", "")] = int(number)
        else:
            parts = cells.split()
            found |= {terminal.typed(parts[i + 1]): int(parts[i]) for i in range(0, len(parts), 2)}
    return found


def hand_in(text):
    line = text.splitlines()[9]
    return "".join({"10": "T"}.get(face, face[0]) for face in re.findall(r"10|[2-9JQKABR]", line))


def unseen_in(text):
    line = next(line for line in text.splitlines() if "Unseen" in line)
    numbers = line.replace("│", "").split()[1:]
    return {rank: 0 if number == "·" else int(number) for rank, number in zip(RANKS, numbers, strict=True)}


def positions(seed, **options):
    """A random match, before each move and at its end."""
    match = fuda.game("doudizhu", **options).start(seed)
    pick = random.Random(seed)
    yield match
    while not match.over:
        match.play(pick.choice(match.legal()))
        yield match


def deal_to(landlord):
    """A deal with the given 20 cards for the landlord."""
    rest = "".join((DECK - Counter(landlord)).elements())
    return {"hands": [landlord, rest[::2], rest[1::2]]}


def play(match, played):
    for move in played.split():
        match.play(move)
    return match


def start(played="", deal=DEAL, **options):
    return play(fuda.game("doudizhu", **options).start(seed=1, deal=deal), played)


def words(event, names=NAMES):
    return Text.from_markup(terminal.say(event, names)).plain


OPTIONS = [{}, {"score": "adp"}, {"bidding": "on"}, {"bidding": "on", "score": "adp"}]


class TestDraw:
    @pytest.mark.parametrize(("seed", "options"), [*enumerate(OPTIONS)], ids=str)
    def test_every_view_of_a_match(self, seed, options):
        for match in positions(seed, **options):
            for seat in range(3):
                view = match.view(seat)
                text = drawn(view)
                assert max(map(cell_len, text.splitlines())) <= 80
                assert len(text.splitlines()) <= 30
                assert unseen_in(text) == {
                    rank: DECK[rank] - (view["hand"] + "".join(view["played"])).count(rank) for rank in RANKS
                }
                if view["hand"]:
                    assert hand_in(text) == view["hand"]
                else:
                    assert "╭──╮" not in text

    @pytest.mark.parametrize("bidding", ["off", "on"])
    @pytest.mark.parametrize("seed", range(10, 12))
    def test_the_numbers_on_the_screen_are_those_of_the_moves(self, seed, bidding):
        for match in positions(seed, bidding=bidding):
            if match.over:
                break
            view = match.view(match.seat)
            numbers = terminal.number(terminal.order(view["legal"]))
            text = drawn(view)
            shown = listed(text)
            left_out = sum(map(int, LEFT_OUT.findall(text)))
            assert shown.items() <= numbers.items()
            assert len(shown) + left_out == len(numbers)
            for move in numbers.keys() - shown.keys():
                assert terminal._read(move).kickers

    @pytest.mark.parametrize(("seed", "bidding"), [(0, "off"), (1, "on")])
    def test_hidden_cards_change_nothing(self, seed, bidding):
        rng = streams(seed, SAMPLE, 0, 1)
        other_hands = 0
        for match in positions(seed, bidding=bidding):
            for seat in range(3):
                twin = match.copy()
                dealt = match.view_record(seat)
                SPEC.rules.redeal(dealt[0], seat, rng)
                twin._stand(dealt, dealt, dealt, dealt=False)
                other_hands += twin.state_bytes() != match.state_bytes()
                assert drawn(twin.view(seat)) == drawn(match.view(seat))
        assert other_hands > 10

    @pytest.mark.parametrize(
        "hand",
        [
            "33334444555566667777",
            "33445566778899TTJJQQ",
            "3334445556667789TJBR",
            "3456789TJQKA2BR3579J",
            "333444555666777888BR",
        ],
    )
    def test_the_hands_with_most_moves(self, hand):
        match = start(deal=deal_to(hand))
        text = drawn(match.view(0))
        assert max(map(cell_len, text.splitlines())) <= 80
        assert len(text.splitlines()) <= 30
        shown = listed(text)
        assert shown.items() <= terminal.number(terminal.order(match.legal())).items()
        plain = [move for move in match.legal() if not terminal._read(move).kickers]
        assert set(plain) <= set(shown)
        left_out = LEFT_OUT.search(text)
        assert len(match.legal()) == len(shown) + (int(left_out[1]) if left_out else 0)

    @pytest.mark.parametrize(
        "names",
        [
            ["x" * 80] * 3,
            ["a player with a long name 1", "a player with a long name 2", "斗地主" * 20],
            ["[bold]", "[/]", "You"],
            ["", "[red]x[/red]", "You"],
        ],
    )
    def test_any_names(self, names):
        for match in itertools.islice(positions(1, bidding="on"), 0, None, 4):
            for seat in range(3):
                assert max(map(cell_len, drawn(match.view(seat), names).splitlines())) <= 80
            for event in match.events(1):
                if event["type"] == "play":
                    assert words(event, names).startswith(f"{names[event['seat']]} play")

    def test_long_names_keep_their_end(self):
        text = drawn(
            start().view(0), ["You", "A strong tree search player 1", "A strong tree search player 2"]
        )
        assert all(re.search(rf"A strong tree.*…\w* {place} ", text) for place in (1, 2))

    def test_roles(self):
        rows = drawn(start().view(0)).splitlines()[2:5]
        assert [row.split()[1:3] for row in rows] == [["Landlord", "You"], *(["Peasant", "RHCP"],) * 2]
        rows = drawn(start().view(2), ["Ann", "Bob", "You"]).splitlines()[2:5]
        assert [row.split()[1:3] for row in rows] == [
            ["Landlord", "Ann"],
            ["Partner", "Bob"],
            ["Peasant", "You"],
        ]

    def test_what_was_played_and_what_is_to_be_beaten(self):
        text = drawn(start("4 9 pass").view(0))
        assert re.search(r"You +19 +4  solo ", text)
        assert re.search(r"RHCP 1 +16 +▸ 9  solo ", text)
        assert re.search(r"RHCP 2 +17 +pass ", text)
        assert "Pass, or beat 9 (solo) of RHCP 1." in text
        assert "Pass, or beat 9 (solo) of your partner." in drawn(start("4 9").view(2), ["Ann", "Bob", "You"])
        text = drawn(start("34567").view(1), ["Ann", "You", "Bob"])
        assert "Pass, or beat 3-7 (solo chain) of the landlord." in text
        assert re.search(r"▸ 3 4 5 6 7  solo chain ", text)
        text = drawn(start("4 pass BR").view(0))
        assert "You cannot beat BR (rocket) of RHCP 2: only pass." in text
        assert listed(text) == {"pass": 0}
        text = drawn(start("4 pass pass").view(0))
        assert "▸" not in text
        assert "You lead." in text

    def test_long_moves(self):
        text = drawn(start("333444555666777").view(1))
        assert "▸ 333-777  trio chain " in text
        text = drawn(start("333444555667").view(1))
        assert "▸ 333-555+667  trio chain and solos " in text

    def test_alarm_at_two_cards(self):
        match = start("3333 pass pass 4444 pass pass 5555 pass pass 6666 pass pass 7")
        assert not re.search(r"\d!", drawn(match.view(1)))
        assert re.search(
            r"Landlord RHCP +2! +▸ 7 ", drawn(play(match, "pass pass 7").view(1), ["RHCP", "You", "x"])
        )
        assert re.search(r"RHCP +1! ", drawn(play(match, "pass pass 7").view(1), ["RHCP", "You", "x"]))
        assert re.search(r"RHCP +0 ", drawn(play(match, "pass pass 7").view(1), ["RHCP", "You", "x"]))

    def test_bombs_and_points(self):
        text = drawn(start("3333 9999").view(0))
        assert "2 bombs (no extra points): 1 point each" in text
        text = drawn(start("3333", score="adp").view(0))
        assert "1 bomb x2: landlord 4 points, peasants 2 each" in text
        text = drawn(start("4", score="adp").view(0))
        assert "0 bombs: landlord 2 points, peasants 1 each" in text

    def test_the_bottom_is_bright_while_the_landlord_holds_it(self):
        def bright(played):
            title = terminal._bottom(start(played).view(1))
            return [
                title.plain[span.start : span.end].strip() for span in title.spans if "yellow" in span.style
            ]

        assert "Bottom 3 7 7 " in drawn(start().view(1))
        assert bright("") == ["3", "7", "7"]
        assert bright("7") == ["3", "7"]
        assert bright("33377") == []

    def test_the_kickers_that_are_shown(self):
        """Of many, each trio with low cards that are single in the hand, for no line has room for all."""
        match = start(deal=deal_to("333444555888JJ9KA2BR"))
        shown = listed(drawn(match.view(0)))
        assert {"3339", "4449", "5559", "8889", "333JJ", "444JJ", "555JJ", "888JJ"} <= set(shown)
        assert "333B" not in shown


class TestBidding:
    def test_bids_are_numbered_and_shown(self):
        match = start(deal=BIDDING_DEAL, bidding="on")
        text = drawn(match.view(0))
        assert listed(text) == {"bid0": 0, "bid1": 1, "bid2": 2, "bid3": 3}
        assert "Bottom ? ? ?" in text
        assert "no bid so far" in text
        text = drawn(play(match, "bid0 bid1").view(2), ["Ann", "Bob", "You"])
        assert listed(text) == {"bid0": 0, "bid2": 2, "bid3": 3}
        assert re.search(r"Ann +17 +nothing ", text)
        assert re.search(r"Bob +17 +1 ", text)
        assert re.search(r"You +17 +to bid ", text)
        assert "highest bid 1" in text

    def test_then_the_bottom_appears(self):
        match = start("bid1 bid2 bid0", deal=BIDDING_DEAL, bidding="on", score="adp")
        text = drawn(match.view(1), ["Ann", "You", "Bob"])
        assert "Bottom 7 7 7" in text
        assert re.search(r"Landlord You +20 .*\n.*Peasant +Bob +17 .*\n.*Peasant +Ann +17 ", text)
        assert "bid 2, 0 bombs: landlord 4 points, peasants 2 each" in text

    def test_dealt_again(self):
        match = start("bid0 bid0 bid0", deal=[BIDDING_DEAL], bidding="on")
        assert [words(event) for event in match.events(0)][1:] == [
            "Nobody wants to be the landlord.",
            "The cards are dealt again; this is deal 2.",
        ]
        text = drawn(match.view(0))
        assert "Deal 2   Bottom ? ? ?" in text
        assert "nothing" not in text

    def test_nobody_ever_bids(self):
        match = fuda.game("doudizhu", bidding="on").start(1)
        while not match.over:
            match.play("bid0")
        assert "The match is over." in drawn(match.view(1))
        assert words(match.events(1)[-1]).endswith("Nobody wanted to be the landlord: no points.")


class TestSay:
    @pytest.mark.parametrize(
        ("event", "told"),
        [
            ({"type": "bid", "seat": 0, "bid": 2}, "You bid 2"),
            ({"type": "bid", "seat": 1, "bid": 0}, "RHCP 1 bids nothing"),
            (
                {"type": "landlord", "seat": 2, "bid": 3, "bottom": "9TR"},
                "RHCP 2 is the landlord for 3; the bottom is 9 10 R★",
            ),
            (
                {"type": "landlord", "seat": 0, "bid": 1, "bottom": "334"},
                "You are the landlord for 1; the bottom is 3 3 4",
            ),
            ({"type": "nobody_bid"}, "Nobody wants to be the landlord."),
            ({"type": "deal", "deal": 1, "hand": "3"}, "The cards are dealt."),
            ({"type": "deal", "deal": 3, "hand": "3"}, "The cards are dealt again; this is deal 3."),
            ({"type": "play", "seat": 0, "cards": "9TJQK", "left": 3}, "You play 9 10 J Q K (solo chain)"),
            (
                {"type": "play", "seat": 1, "cards": "3555", "left": 2},
                "RHCP 1 plays 5 5 5 + 3 (trio and solo), 2 cards left!",
            ),
            ({"type": "play", "seat": 1, "cards": "2", "left": 1}, "RHCP 1 plays 2 (solo), one card left!"),
            ({"type": "play", "seat": 1, "cards": "2", "left": 0}, "RHCP 1 plays 2 (solo)"),
            ({"type": "bomb", "seat": 1, "cards": "3333", "bombs": 1}, "  Bomb! Bombs so far: 1"),
            ({"type": "bomb", "seat": 1, "cards": "BR", "bombs": 2}, "  Rocket! Bombs so far: 2"),
            ({"type": "pass", "seat": 0}, "You pass"),
            ({"type": "pass", "seat": 2}, "RHCP 2 passes"),
            ({"type": "lead", "seat": 2}, "  Nobody beats it; RHCP 2 leads"),
        ],
    )
    def test_events(self, event, told):
        assert words(event) == told

    @pytest.mark.parametrize(
        ("scores", "end"),
        [
            ([4, -2, -2], "You win as landlord: +4\nRHCP 1 and RHCP 2: -2 each"),
            ([-1, 2, -1], "RHCP 1 wins as landlord: +2\nYou and RHCP 2: -1 each"),
            ([1, 1, -2], "You and RHCP 1 win as peasants: +1 each\nRHCP 2: -2"),
            ([-1, 1, 1], "RHCP 1 and RHCP 2 win as peasants: +1 each\nYou: -1"),
            ([0, 0, 0], "Nobody wanted to be the landlord: no points."),
        ],
    )
    def test_the_end(self, scores, end):
        event = {"type": "match_over", "scores": scores}
        assert words(event) == f" The match is over \n{end}"

    def test_you_come_first(self):
        event = {"type": "match_over", "scores": [-2, 1, 1]}
        assert "You and Bob win" in words(event, ["Ann", "Bob", "You"])

    def test_every_event_of_some_matches(self):
        met = set()
        for seed in range(8):
            for match in positions(seed, bidding="on"):
                for event in match.events(0):
                    met.add(event["type"])
                    assert words(event).strip()
                    assert event["type"] == "match_over" or len(words(event)) < 80
        assert met == {
            "bid", "landlord", "nobody_bid", "deal", "play", "bomb", "pass", "lead", "match_over",
        }  # fmt: skip


class TestTyped:
    @pytest.mark.parametrize(
        ("text", "move"),
        [
            ("10", "T"), ("t", "T"), ("10 10", "TT"), ("1010", "TT"), ("a k q j 10", "TJQKA"), ("rb", "BR"),
            ("4333", "3334"), ("333 + 4", "3334"), ("3, 3, 3, 5, 5", "33355"), ("2aa2", "AA22"),
            ("3-7", "34567"), ("10-a", "TJQKA"), ("33-55", "334455"), ("333-444+57", "33344457"),
            ("pass", "pass"), ("PASS", "pass"), ("p", "pass"), ("bid2", "bid2"), ("Bid 0", "bid0"),
            ("q", "Q"),
        ],
    )  # fmt: skip
    def test_moves(self, text, move):
        assert terminal.typed(text) == move

    @pytest.mark.parametrize(
        "text", ["", "?", "quit", "exit", "12", "101", "hello", "3-", "-3", "33-4", "x-y", "bid4"]
    )
    def test_anything_else_stays(self, text):
        assert terminal.typed(text) == text

    def test_every_move_as_it_is_shown(self):
        rng = random.Random(1)
        for action in range(1, NUM_MOVES, 7):
            text = move_text(action)
            move = terminal._read(text)
            cards = list(text.lower())
            rng.shuffle(cards)
            assert terminal.typed("".join(cards)) == text
            assert terminal.typed(move.short) == text
            assert terminal.typed(move.spaced.replace("★", "")) == text


class TestNumbers:
    def test_no_number_can_be_read_as_cards(self):
        many = [str(number) for number in terminal.number(range(600)).values()]
        assert many[:14] == [*map(str, range(11, 22)), "23", "24", "25"]
        texts = {move_text(action) for action in range(NUM_MOVES)}
        assert not texts & {terminal.typed(number) for number in many}
        assert not {"22", "33", "99", "222", "555"} & set(many)

    def test_pass_and_bids(self):
        assert terminal.number(["pass", "44"]) == {"pass": 0, "44": 11}
        assert terminal.number(["bid0", "bid2", "bid3"]) == {"bid0": 0, "bid2": 2, "bid3": 3}

    def test_order(self):
        legal = moves("33334445TBR")
        ordered = terminal.order(legal)
        assert sorted(ordered) == legal
        assert ordered[:9] == ["3", "4", "5", "T", "B", "R", "33", "44", "333"]
        assert ordered[9:13] == ["444", "333444", "3333", "BR"]
        assert all(terminal._read(move).kickers for move in ordered[13:])
        assert terminal.order(["4444", "pass", "66"]) == ["pass", "66", "4444"]
        assert terminal.order(["bid3", "bid0"]) == ["bid0", "bid3"]
