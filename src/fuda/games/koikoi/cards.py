"""The 48 cards as numbers and as sets: the deck of RULES.md, section 1."""

NUM_MONTHS, NUM_IN_MONTH = 12, 4
NUM_CARDS = NUM_MONTHS * NUM_IN_MONTH
ALL_CARDS = (1 << NUM_CARDS) - 1
FIRST_OF_EACH_MONTH = sum(1 << (NUM_IN_MONTH * month) for month in range(NUM_MONTHS))


def card(month: int, index: int) -> int:
    """Card id of `month` 1..12 and `index` 1..4; index 1 is the month's best card."""
    return (month - 1) * NUM_IN_MONTH + (index - 1)


def card_set(*cards: tuple[int, int]) -> int:
    """A set of cards as bits, from (month, index) pairs."""
    return sum(1 << card(month, index) for month, index in cards)


MONTH_NAMES = (
    "Pine", "Plum", "Cherry", "Wisteria", "Iris", "Peony", "Bush clover", "Susuki grass",
    "Chrysanthemum", "Maple", "Willow", "Paulownia",
)  # fmt: skip

RAINMAN = card_set((11, 1))
CURTAIN = card_set((3, 1))
MOON = card_set((8, 1))
SAKE_CUP = card_set((9, 1))
BOAR_DEER_BUTTERFLY = card_set((7, 1), (10, 1), (6, 1))
DRY_LIGHTS = card_set((1, 1), (3, 1), (8, 1), (12, 1))
LIGHTS = DRY_LIGHTS | RAINMAN
SEEDS = BOAR_DEER_BUTTERFLY | SAKE_CUP | card_set((2, 1), (4, 1), (5, 1), (8, 2), (11, 2))
RED_RIBBONS = card_set((1, 2), (2, 2), (3, 2))
BLUE_RIBBONS = card_set((6, 2), (9, 2), (10, 2))
RIBBONS = RED_RIBBONS | BLUE_RIBBONS | card_set((4, 2), (5, 2), (7, 2), (11, 3))
DROSS = (ALL_CARDS & ~(LIGHTS | SEEDS | RIBBONS)) | SAKE_CUP

# The cards that have a name of their own; the others are called by their kind.
CARD_NAMES = {
    card(1, 1): "Crane", card(2, 1): "Warbler", card(3, 1): "Curtain", card(4, 1): "Cuckoo",
    card(5, 1): "Bridge", card(6, 1): "Butterfly", card(7, 1): "Boar", card(8, 1): "Moon",
    card(8, 2): "Wild Goose", card(9, 1): "Sake Cup", card(10, 1): "Deer", card(11, 1): "Rainman",
    card(11, 2): "Swallow", card(12, 1): "Phoenix",
}  # fmt: skip
