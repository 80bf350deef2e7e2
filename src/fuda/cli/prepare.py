"""`fuda prepare`: compile what is needed to play, so that nobody waits for it at the table."""

from rich.progress import track

from fuda.agents import agent, list_agents
from fuda.games import game, list_games


def prepare() -> None:
    """Compile the rules and the agents of all games; a part of the installation."""
    for name in track(list_agents(), "Compiling the games and the agents", transient=True):
        agent(name).warm_up()
    for game_id in list_games():
        match = game(game_id).start(0)
        while not match.over:
            match.play(match.legal()[0])
            match.view(0)
            match.events(0)
