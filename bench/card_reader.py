"""How many of the 48 hanafuda a fresh reader names from a sheet of shuffled 60 px cards.

    cd web && npm run sheets                                 makes shots/cards/60-shuffled.png and its key
    python bench/card_reader.py ANSWERS.json KEY.json        writes koikoi-card-reader.json

ANSWERS is a list of {"month": 1..12, "kind": ...} in reading order by somebody who has not seen the
drawings' source; kinds are light, seed, red poetry ribbon, plain ribbon, blue ribbon, dross.
"""

import argparse
import json
from pathlib import Path

from results_folder import add_results, write

from fuda.core.provenance import commit
from fuda.games.koikoi import cards as deck
from fuda.games.koikoi.text import CARD_TEXTS

KINDS = (
    ("light", deck.LIGHTS),
    ("seed", deck.SEEDS),
    ("red poetry ribbon", deck.RED_RIBBONS),
    ("blue ribbon", deck.BLUE_RIBBONS),
    ("plain ribbon", deck.RIBBONS),
    ("dross", deck.ALL_CARDS),
)


def truth(card: str) -> dict[str, object]:
    """The month and the kind of a card: the first kind that it belongs to."""
    bit = 1 << CARD_TEXTS.index(card)
    return {
        "month": int(card.partition("-")[0]),
        "kind": next(name for name, cards in KINDS if cards & bit),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare a reader's answers with the cards.")
    parser.add_argument("answers", type=Path)
    parser.add_argument("key", type=Path)
    add_results(parser)
    arguments = parser.parse_args()
    answers, key = (json.loads(path.read_text()) for path in (arguments.answers, arguments.key))
    if len(answers) != len(key):
        raise SystemExit(f"there are {len(answers)} answers for {len(key)} cards")
    read = [{"card": card, "answer": answer} for card, answer in zip(key, answers, strict=True)]
    wrong = [entry["card"] for entry in read if truth(entry["card"]) != entry["answer"]]
    found = {
        "kind": "card reader", "cards": len(key), "right": len(key) - len(wrong), "wrong": wrong,
        "read": read, "commit": commit(),
    }  # fmt: skip
    write(arguments.results / "koikoi-card-reader.json", found)
    print(f"{found['right']} of {found['cards']} right; wrong: {', '.join(wrong) or 'none'}")


if __name__ == "__main__":
    main()
