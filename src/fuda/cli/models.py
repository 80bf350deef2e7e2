"""`fuda models`: the models that ship, with their sizes, cards and hashes."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from fuda.agents.model import MODELS, model_folders
from fuda.games import list_games, spec
from fuda.nets.folder import read_card

MIB = 2**20


def models(
    game: Annotated[str | None, typer.Argument(help="Only the models of this game.", metavar="GAME")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, with the SHA-256 of every file.")
    ] = False,
) -> None:
    """List the models that ship: sizes, hashes of their weights, and where their cards are."""
    games = list_games() if game is None else [spec(game).id]
    found = [
        _described(f"{game_id}/{name}", folder)
        for game_id in games
        for name, folder in sorted(model_folders(game_id).items())
    ]
    if as_json:
        print(json.dumps(found, indent=1))
        return
    table = Table("model", "title", "MiB", "weights", "files", box=None)
    for model in found:
        size, files = f"{model['bytes'] / MIB:.1f}", model["files_of"] or "its own"
        table.add_row(model["model"], model["title"], size, model["weights"], files)
    console = Console()
    console.print(table)
    console.print(f"Cards: {MODELS}/GAME/MODEL/CARD.md", soft_wrap=True, highlight=False)


def _described(name: str, folder: Path) -> dict[str, Any]:
    """A model in plain data."""
    card = read_card(folder)
    return {
        "model": name,
        "title": card.title,
        "line": card.line,
        "bytes": sum(file.stat().st_size for file in folder.iterdir()),
        "weights": card.weights,  # the hash by which results name them
        "folder": str(folder),
        "files_of": card.files_of,
        "networks": [
            {"file": file.file, "sha256": file.sha256, "decisions": file.decisions} for file in card.networks
        ],
        "made": {what: card.made.get(what) for what in ("games", "minutes", "device", "commit")},
    }
