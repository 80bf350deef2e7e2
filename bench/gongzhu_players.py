"""What the Gongzhu scripts share: players from a model folder on any device, and margins on common deals."""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from results_folder import write

import fuda
from fuda.agents import Agent
from fuda.agents.model import model_agent
from fuda.agents.scenarios import ScenarioAgent
from fuda.arena.duel import play_deals
from fuda.core.files import replacing
from fuda.core.provenance import commit, machine, versions
from fuda.nets.folder import read_card

REPORT_SEED = 1  # for reported figures only: never for tuning or choosing
CHUNK = 2048  # deals that are played together
GAME = "gongzhu"
MODEL = "model"  # the folder of an agent in that of its run


def label(model: Path) -> str:
    """What a model is called: as its folder, or as that of its run."""
    return model.parent.name if model.name == MODEL else model.name


def player(model: Path, device: str, suffix: str = "", **parameters: object) -> Agent:
    """A model's player; on `cuda` its network is run by PyTorch, so that many matches share a batch."""
    name = f"{label(model)}{suffix}"
    if device == "cpu":
        return model_agent(model, name, parameters=parameters, suffix=suffix)
    from fuda.training.torch_agent import model_on  # PyTorch is for those who ask for it

    return model_on(device, model, name, suffix, parameters)


def need_open_hands(parser: argparse.ArgumentParser, model: Path) -> None:
    """End a script that is only of networks that see all hands, unless the model's does."""
    try:
        sees = isinstance(player(model, "cpu"), ScenarioAgent)
    except ValueError as error:
        parser.error(str(error))
    if not sees:
        parser.error(f"this needs a Gongzhu model of open hands, and {model} is none")


def margins(first: Agent, second: Agent, deals: int, seed: int = REPORT_SEED) -> np.ndarray:
    """Points of the first over the second on each deal in both seatings, [deals, 2]."""
    began = time.perf_counter()
    table = fuda.game(GAME)
    parts = []
    for start in range(0, deals, CHUNK):
        parts.append(play_deals(table, [first, second], seed, start, min(deals, start + CHUNK)))
    found = np.concatenate(parts)
    spent = time.perf_counter() - began
    mean, error = summary(found.mean(axis=1))
    print(f"{first.name} over {second.name}: {mean:+.1f} ± {error:.1f}, {spent:.0f} s", flush=True)
    return found


class Played:
    """Margins of a table by name. They are on disk, so that a table that was stopped goes on after them."""

    def __init__(self, results: Path, table: str, models: Sequence[Path], deals: int, device: str):
        self._path = results / f"gongzhu-{table}.part"
        weights = (read_card(model).weights[:12] for model in models)
        self._origin = "-".join([commit() or "", device, *weights])
        self.deals = deals
        self.seconds = 0.0  # that the margins took which were asked for, whenever they were played
        self._found = dict(np.load(self._path)) if self._path.exists() else {}

    def margins(self, name: str, first: Agent, second: Agent) -> np.ndarray:
        """Points of the first over the second on the table's deals, [deals, 2]."""
        key = f"{name}, {self.deals}, {self._origin}"
        if key not in self._found:
            print(f"{name}: ", end="", flush=True)
            began = time.perf_counter()
            self._found[key] = margins(first, second, self.deals)
            self._found[f"seconds, {key}"] = np.array(time.perf_counter() - began)
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._path) as (file,):
                np.savez(file, **self._found)
        self.seconds += float(self._found[f"seconds, {key}"])
        return self._found[key]

    def forget(self) -> None:
        """The table is written."""
        self._path.unlink(missing_ok=True)


def summary(per_deal: np.ndarray) -> tuple[float, float]:
    return float(per_deal.mean()), float(per_deal.std(ddof=1) / len(per_deal) ** 0.5)


def row(found: np.ndarray, compared: np.ndarray | None = None) -> dict[str, Any]:
    """Figures of margins [D, 2]: points, games won and drawn, the gain over others on the same deals."""
    mean, error = summary(found.mean(axis=1))
    figures = {
        "points": mean,
        "stderr": error,
        "win_rate": float((found > 0).mean()),
        "draw_rate": float((found == 0).mean()),
    }
    if compared is not None:
        gain, gain_error = summary((found - compared).mean(axis=1))
        figures |= {"gain": gain, "gain_stderr": gain_error}
    return figures


def stored_rows(results: Path, name: str, model: Path) -> dict[str, Any]:
    """The rows of gongzhu-NAME.json, if they are of the same weights."""
    path = results / f"gongzhu-{name}.json"
    stored = json.loads(path.read_text()) if path.exists() else {"models": {}}
    weights = {each["sha256"] for each in stored["models"].values()}
    return dict(stored["rows"]) if read_card(model).networks[0].sha256 in weights else {}


def origin(device: str) -> dict[str, Any]:
    """Where figures come from; on `cuda` with the GPU and PyTorch."""
    if device == "cpu":
        return {"device": device, "machine": machine(), "versions": versions(), "commit": commit()}
    from fuda.training.device import origin as origin_of_torch  # PyTorch is for those who ask for it

    return {"device": device} | origin_of_torch()


def keep(
    results: Path,
    name: str,
    kind: str,
    figures: dict[str, Any],
    models: Sequence[Path],
    deals: int,
    seconds: float,
    device: str,
    seed: int = REPORT_SEED,
) -> None:
    """Write gongzhu-NAME.json with its origin."""
    cards = {}
    for model in models:
        card = json.loads((model / "model.json").read_text())
        cards[label(model)] = {"sha256": card["networks"][0]["sha256"], "made": card["made"]}
    played = {
        "models": cards, "deals": deals, "seatings": 2, "seed": seed, "seconds": round(seconds, 1),
    }  # fmt: skip
    path = results / f"gongzhu-{name}.json"
    write(path, {"kind": kind} | figures | played | origin(device))
    print(f"{path.name}: written")
