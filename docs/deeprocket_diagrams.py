"""DeepRocket's pictures: how a game goes, and how a move is found (the paper's Figs. 1 and 2)."""

from diagrams import CHOICE, DATA, END, Drawing

from fuda.games.doudizhu import bidding
from fuda.games.doudizhu import deeprocket_encoding as encoding
from fuda.training.registry import find_recipe


def game() -> str:
    """Who is asked what in a game with bidding."""
    drawing = Drawing(900, 430, "A game of Dou Dizhu, as DeepRocket plays it")
    deal = drawing.box(140, 50, 220, ["Deal", "17 cards to each seat"], END, 16)
    bid = drawing.box(
        450,
        50,
        300,
        ["Bid module", "control cards less the fewest moves,", f"3 from {bidding.WORTHS[-1]} on"],
        CHOICE,
    )
    nobody = drawing.box(770, 50, 200, ["Nobody has bid", "the cards are dealt again"], END)
    landlord = drawing.box(450, 150, 300, ["The highest bidder is the landlord", "takes the bottom, leads"])
    turn = drawing.box(450, 230, 300, ["The next seat's turn"])
    forced = drawing.box(140, 320, 220, ["One legal move", "it is played"])
    move = drawing.box(450, 320, 300, ["Policy network, kicker network", "cards, or pass"], CHOICE)
    over = drawing.box(450, 400, 300, ["Is a hand empty?"])
    end = drawing.box(770, 400, 200, ["The game is over"], END)
    drawing.arrow(deal.side("right"), bid.side("left"))
    drawing.arrow(bid.side("right"), nobody.side("left"))
    drawing.text(bid.side("right")[0] + 6, 42, "all 0", anchor="start")
    for above, below in ((bid, landlord), (landlord, turn), (turn, move), (move, over)):
        drawing.arrow(above.side("bottom"), below.side("top"))
    x, y = turn.side("left")
    drawing.arrow((x, y), (forced.x, y), forced.side("top"))
    x, y = forced.side("bottom")
    drawing.arrow((x, y), (x, over.y), over.side("left"))
    x, y = over.side("right")
    drawing.arrow((x, y), end.side("left"))
    drawing.text(x + 44, y - 8, "yes", anchor="start")
    drawing.text(x + 36, y - 80, "no", anchor="start")
    drawing.arrow((x + 30, y), (x + 30, turn.y), turn.side("right"))
    return drawing.svg()


def move() -> str:
    """From planes to a main group, then kicker after kicker."""
    recipe = find_recipe("doudizhu-deeprocket").recipe
    z, y, x = encoding.LAYOUT.shape
    kicker_z, kicker_y, kicker_x = encoding.FURTHER_LAYOUT.shape
    drawing = Drawing(900, 420, "How DeepRocket finds a move")
    planes = drawing.box(150, 60, 240, [f"{x} x {y} x {z} planes", "hand, unseen, public, 18 plays"], DATA)
    policy = drawing.box(
        450, 60, 260,
        ["Policy network", f"{recipe.shape.layers} convolutions, 1 fully connected",
         f"{recipe.shape.filters} filters"],
    )  # fmt: skip
    outputs = drawing.box(
        755, 60, 250,
        [f"{encoding.NUM_OUTPUTS} outputs", "a main group, and how many", "solos or pairs go with it"],
        CHOICE,
    )  # fmt: skip
    asks = drawing.box(755, 180, 250, ["Are kickers missing?"])
    kicker_planes = drawing.box(
        150,
        300,
        240,
        [f"{kicker_x} x {kicker_y} x {kicker_z} planes", "cards left, main group, kickers"],
        DATA,
    )
    kicker = drawing.box(
        450, 300, 260,
        ["Kicker network", f"{recipe.further_shape.layers} convolutions, 1 fully connected",
         f"{recipe.further_shape.filters} filters"],
    )  # fmt: skip
    kickers = drawing.box(
        755,
        300,
        250,
        [f"{encoding.NUM_FURTHER_OUTPUTS} outputs", "one kicker, no lower", "than the last"],
        CHOICE,
    )
    played = drawing.box(755, 390, 250, ["The move is played"], END)
    for left, right in ((planes, policy), (policy, outputs), (kicker_planes, kicker), (kicker, kickers)):
        drawing.arrow(left.side("right"), right.side("left"))
    drawing.arrow(outputs.side("bottom"), asks.side("top"))
    left, middle = asks.side("left")
    drawing.arrow((left, middle), (kicker_planes.x, middle), kicker_planes.side("top"))
    drawing.text(left - 12, middle - 8, "yes", anchor="end")
    right, middle = asks.side("right")
    drawing.arrow((right, middle), (right + 12, middle), (right + 12, played.y), played.side("right"))
    drawing.text(right - 4, middle + 34, "no", anchor="end")
    drawing.arrow(kickers.side("top"), asks.side("bottom"))
    return drawing.svg()


DRAWINGS = {"deeprocket-game": game, "deeprocket-move": move}
