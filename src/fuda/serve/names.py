"""Names of people, from anybody and shown to others: as plain as names are."""

import unicodedata

from fuda.serve.protocol import MAX_PERSON

NOBODY = "?"
# Letters, marks, numbers, punctuation, symbols and plain spaces. Not: control characters, those that
# turn the direction of text (Cf), unpaired surrogates, private and unassigned ones, line separators.
KEPT = ("L", "M", "N", "P", "S", "Zs")
BREAKS = "\t\n\r"  # these become spaces
MAX_MARKS = 2  # on one letter


def clean_name(given: str, limit: int = MAX_PERSON) -> str:
    """A name without characters that could change what stands around it."""
    kept = "".join(" " if char in BREAKS else char for char in given if _is_kept(char))
    text, marks = "", 0
    for char in unicodedata.normalize("NFC", kept):
        category = unicodedata.category(char)
        marks = marks + 1 if category.startswith("M") else 0
        if marks <= MAX_MARKS:
            text += " " if category == "Zs" else char
    return " ".join(text.split())[:limit].strip() or NOBODY


def _is_kept(char: str) -> bool:
    return char in BREAKS or unicodedata.category(char).startswith(KEPT)
