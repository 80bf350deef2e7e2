"""One player in some seats, another in the others."""

import fuda
from fuda.arena import duel
from fuda.arena.seats import games_won, wins


def test_a_landlord_alone_wins_what_it_wins_in_a_duel():
    game, player = fuda.game("doudizhu"), fuda.agent("doudizhu/rhcp")
    told = duel(game, player, "doudizhu/rhcp-partner", 60, 5).roles
    landlord = wins(game, player, "doudizhu/rhcp-partner", [0], 30, 5)
    peasants = wins(game, player, "doudizhu/rhcp-partner", [1, 2], 30, 5)
    assert landlord.sum() == told["landlord"].wins
    assert peasants.sum() == told["peasants"].wins
    share, stderr = games_won(game, player, "doudizhu/rhcp-partner", [0], 30, 5)
    assert share == told["landlord"].win_rate
    assert stderr > 0


def test_a_peasant_alone_wins_with_its_partner():
    """A seat that always passes the buck still wins what the other peasant wins."""
    game, strong, weak = fuda.game("doudizhu"), fuda.agent("doudizhu/rhcp"), fuda.agent("doudizhu/random")
    among_strong = wins(game, weak, strong, [1], 100, 6).mean()
    among_weak = wins(game, strong, weak, [1], 100, 6).mean()
    alone = wins(game, weak, strong, [0], 100, 6).mean()
    assert among_strong > alone + 0.2
    assert 0 < among_weak < 1
