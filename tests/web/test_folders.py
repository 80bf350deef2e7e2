"""A game's folder of the page is whole, and no other file of the page knows the game."""

import re
from pathlib import Path

import pytest

from fuda.games import list_games, spec

WEB = Path(__file__).parents[2] / "web"
GAMES = sorted(folder.name for folder in (WEB / "games").iterdir() if folder.is_dir())
LANGUAGES = ("en", "ja", "zh")
NOT_SOURCE = {"node_modules", "generated", "shots", "__pycache__"}
# What the build imports from each folder. The compiler says what is missing in them: `make page-check`.
REQUIRED = {
    "index.ts": "game",
    "front/index.ts": "front",
    **{f"front/{language}.ts": "words" for language in LANGUAGES},
    **{f"words/{language}.ts": "words" for language in LANGUAGES},
}


@pytest.mark.parametrize("game", GAMES)
def test_a_folder_has_what_the_build_imports(game: str) -> None:
    assert game in list_games()
    for file, name in REQUIRED.items():
        wanted = WEB / "games" / game / file
        path = next((path for path in (wanted, wanted.with_suffix(".tsx")) if path.exists()), None)
        assert path is not None, wanted
        assert re.search(rf"^export const {name}\b", path.read_text(), re.MULTILINE), (path, name)


@pytest.mark.parametrize("game", GAMES)
def test_each_rule_option_has_a_title_in_each_language(game: str) -> None:
    for language in LANGUAGES:
        words = (WEB / f"games/{game}/front/{language}.ts").read_text()
        options = words[words.index("  options: {") : words.index("  agents: {")]
        for option in spec(game).options:
            assert re.search(rf"\b{option.name}: {{\s*title: ", options), (language, option.name)


def names(game: str) -> set[str]:
    """What a game is called anywhere: its id, its titles, its name where it comes from."""
    fronts = (WEB / "games" / game / "front").glob("*.ts")
    found = {
        name for file in fronts for name in re.findall(r'^  (?:title|native): "(.+)"', file.read_text(), re.M)
    }
    return {game, *(name.lower() for name in found)}


SUITS = re.compile(r"suits: {[^}]*}")  # the names of suits in web/words


def suit_names() -> set[str]:
    """Words that shared files have as names of suits; a game may be called like one."""
    tables = [table for file in (WEB / "words").glob("*.ts") for table in SUITS.findall(file.read_text())]
    return {name.lower() for table in tables for name in re.findall('"(.+?)"', table)}


def named_in(text: str, forbidden: set[str]) -> set[str]:
    """The names that a text has anywhere; of those that are suits, only as a key or as a string alone."""
    text, suits = text.lower(), suit_names()
    beside = SUITS.sub("", text)
    found = {name for name in forbidden - suits if name in text}
    return found | {
        name for name in forbidden & suits if re.search(rf"([\"'`]){name}\1|\b{name}\??:", beside)
    }


def test_a_game_may_be_called_like_a_suit() -> None:
    words = (WEB / "words/en.ts").read_text()
    assert '"hearts"' in words
    assert not named_in(words, {"hearts", "spades"})
    assert not named_in("/** the queen of hearts */", {"hearts"})
    for text in ('if (game === "hearts")', "const decks = { hearts: french };", "pick('Hearts')"):
        assert named_in(words + text, {"hearts", "spades"}) == {"hearts"}, text
    assert named_in("/* as in Koi-Koi */", {"koi-koi"}) == {"koi-koi"}


def test_no_shared_file_names_a_game() -> None:
    forbidden = {name for game in GAMES for name in names(game)}
    assert {"koikoi", "koi-koi", "こいこい", "花札·来来"} <= forbidden
    folders = [WEB / "games" / game for game in GAMES]
    for file in WEB.rglob("*"):
        if not file.is_file() or file.suffix == ".png" or NOT_SOURCE & set(file.relative_to(WEB).parts):
            continue
        if any(folder in file.parents for folder in folders):
            continue
        assert not named_in(file.read_text(encoding="utf-8"), forbidden), file


@pytest.mark.parametrize("game", GAMES)
def test_a_stylesheet_is_for_its_game_alone(game: str) -> None:
    """The styles of a game stay when another one is opened: all of them are within one rule for the game."""
    for file in (WEB / "games" / game).rglob("*.css"):
        depth, outer = 0, ""
        for sign in re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL):
            depth -= sign == "}"
            outer += sign if depth == 0 else ""
            depth += sign == "{"
        assert "".join(outer.split()) == f'[data-game="{game}"]{{}}', file


def test_shared_styles_go_by_class() -> None:
    for folder in ("styles", "tricks", "table", "lobby", "replay"):
        for file in (WEB / folder).glob("*.css"):
            assert "data-game" not in file.read_text(), file
