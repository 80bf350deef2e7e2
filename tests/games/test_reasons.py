"""Reasons of all games: from the mover's own view alone, JSON-able, of types that the page has words for."""

import json
import random
import re
from pathlib import Path

import pytest

import fuda
from tests.contract.disguise import disguised

WEB = Path(__file__).parents[2] / "web" / "games"
GAMES = [game for game in fuda.list_games() if fuda.game(game).spec.reasons is not None]
POSITIONS = 120


def reasons_of(match: fuda.Match) -> dict:
    view = match.view_record(match.seat)[0]
    told = match.game.spec.reasons.reason
    return {move: told(view, action) for move, action in match.legal_actions().items()}


@pytest.mark.parametrize("game_id", GAMES)
def test_reasons_follow_from_the_own_view(game_id):
    spec, luck, found = fuda.game(game_id).spec, random.Random(5), set()
    presets = [{}, *({"preset": preset.id} for preset in spec.presets)]
    match = fuda.game(game_id).start(seed=0)
    for number in range(POSITIONS):
        if match.over:
            match = fuda.game(game_id, **presets[number % len(presets)]).start(seed=number)
        told = reasons_of(match)
        assert reasons_of(disguised(match, match.seat, number)) == told
        assert json.loads(json.dumps(told)) == told
        found |= {reason["type"] for reason in told.values() if reason}
        match.play(luck.choice(match.legal()))
    assert found <= set(spec.reasons.TYPES)
    assert len(found) > len(spec.reasons.TYPES) / 2


@pytest.mark.parametrize("game_id", GAMES)
def test_the_page_has_words_for_each_type(game_id):
    """In English; the compiler says what another language lacks."""
    words = (WEB / game_id / "words" / "en.ts").read_text()
    because = words[words.index("  because: {") :]
    kinds = re.findall(r"^    (\w+): \(", because[: because.index("\n  }")], re.MULTILINE)
    assert sorted(kinds) == sorted(fuda.game(game_id).spec.reasons.TYPES)
