"""Pairs of agents on the same deals, stored as duels: what is there is not played again.

A pair counts as played if its file is of the agents' weights and of the rules as they are now, whatever was
committed since. A run that was killed goes on where it was as long as the program is the same; under another
one the pairs that it finished stay, and the others begin again.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strength import entrant

import fuda
from fuda.arena.stored import is_current, read_duels
from fuda.arena.tournament import NAME, Progress
from fuda.core.provenance import commit, sources


@dataclass(frozen=True)
class Gauntlets:
    """The pairs of one game on deals of one seed: a folder of folders, one for each agent that met others."""

    game_id: str
    seed: int
    folder: Path
    device: str | None = None

    def files(self, deals: int, among: Iterable[str]) -> dict[frozenset[str], Path]:
        """The file of each pair that has played so many deals, as both agents are now."""
        names = set(among)
        return {
            frozenset(duel["agents"]): path
            for path, duel in self._stored().items()
            if set(duel["agents"]) <= names and is_current(duel) and duel["deals"] >= deals
        }

    def meet(self, name: str, others: Sequence[str], deals: int, progress: Progress) -> None:
        """Play an agent's pairs with others that are not stored yet."""
        folder = self.folder / name.partition("/")[2]
        begun = self._begun(folder, deals)
        if begun:
            self._play(folder, begun, deals, progress)
        played = self.files(deals, [name, *others])
        left = [other for other in others if frozenset((name, other)) not in played]
        if left:
            self._drop({frozenset((name, other)) for other in left})
            (folder / NAME).unlink(missing_ok=True)  # it is of the pairs of an earlier run
            self._play(folder, [name, *left], deals, progress)

    def drop_outdated(self) -> None:
        """Remove what is stored of other weights or rules: it is of agents that are no more."""
        for path, duel in self._stored().items():
            if not is_current(duel):
                path.unlink()

    def _play(self, folder: Path, names: Sequence[str], deals: int, progress: Progress) -> None:
        fuda.tournament(
            self.game_id,
            [entrant(name, self.device) for name in names],
            deals,
            self.seed,
            out=folder,
            gauntlet=names[0],
            progress=progress,
        )

    def _begun(self, folder: Path, deals: int) -> list[str]:
        """The agents of a gauntlet that was interrupted, if it can go on; else it is forgotten."""
        part = folder / f"{NAME}.part"
        if not part.exists():
            return []
        with part.open(encoding="utf-8") as file:
            first = file.readline()
        begun = json.loads(first) if first.endswith("\n") else {}  # killed in the very first line
        now = {"commit": commit(), "sources": sources(), "seed": self.seed, "deals": deals}
        if all(begun.get(key) == value for key, value in now.items()) and is_current(begun):
            agents: list[str] = begun["agents"]
            return agents
        print(f"{part} is of another program: its finished pairs stay, the others begin again", flush=True)
        part.unlink()
        return []

    def _drop(self, pairs: set[frozenset[str]]) -> None:
        for path, duel in self._stored().items():
            if frozenset(duel["agents"]) in pairs:
                path.unlink()

    def _stored(self) -> dict[Path, dict[str, Any]]:
        return read_duels([self.folder]) if self.folder.exists() else {}
