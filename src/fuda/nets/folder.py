"""A model folder: networks as ONNX files, and `model.json`, which says what they are. No torch here.

model.json   the card: game, versions, unit of the values, the files with their SHA-256
model.onnx   one network for all kinds of decisions, or a file for each kind
table.npy    numbers that the game needs to tell the values in their unit, if any
CARD.md      for people, written by hand or by the run that made it

Models that play differently by the same network share its file: `files_of` of the card names the folder
beside this one that has the networks and the table. Of a network that is the same but for some bytes, such as
those of its last layer, these are in a file `part` of the model's own folder.
"""

import hashlib
import io
import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fuda.core.errors import echo
from fuda.core.files import IrregularFileError, read_regular, replacing

CARD = "model.json"
TABLE = "table.npy"
FORMAT = 1  # of model.json
MAX_CARD, MAX_FILE = 2**22, 2**31  # bytes
SHARED = {"part": "", "part_at": 0}  # of a network, where its file is another model's
NAME = re.compile(r"\w[\w.-]*")  # of a folder


@dataclass(frozen=True)
class NetworkFile:
    """One network of a model."""

    file: str
    decisions: list[str]  # the kinds that it makes, in the encoding's words
    shape: dict[str, Any]  # the sizes of its layers, and how they are joined
    sha256: str = ""  # with its own part in it
    part: str = ""  # a file of the model's own folder, where a shared file has other bytes
    part_at: int = 0  # from this byte on


@dataclass(frozen=True)
class ModelCard:
    """What model.json says."""

    game: str
    rules_version: int
    encoding: str  # the module in the game's folder that writes the networks' input
    encoding_version: int
    title: str
    line: str  # one line: how it plays
    unit: str | None  # of the values that people see: "points", "probability", "policy", or None
    scale: float  # a network's value times this is in the unit
    networks: list[NetworkFile] = field(default_factory=list)
    table_sha256: str = ""  # of table.npy, if there is one
    options: dict[str, int | str] = field(default_factory=dict)  # of the rules that it learned; else defaults
    made: dict[str, Any] = field(default_factory=dict)  # run, games, minutes, commit: whatever is known
    files_of: str = ""  # the folder beside this one that has the files, if not this one

    @property
    def weights(self) -> str:
        """A hash of the networks: it tells trainings of one name apart."""
        hashes = "".join(network.sha256 for network in self.networks)
        return hashlib.sha256(hashes.encode()).hexdigest()[:16]

    def files_in(self, folder: Path) -> Path:
        """Where the files of the model in a folder are."""
        return folder.parent / self.files_of if self.files_of else folder

    def network(self, folder: Path, number: int) -> bytes:
        """A network of the model in a folder, or a `ValueError` if it is not the one of this card."""
        network, files = self.networks[number], self.files_in(folder)
        content = _read(files, network.file)
        if network.part:
            part, at = _read(folder, network.part), network.part_at
            content = content[:at] + part + content[at + len(part) :]
        _check_hash(files, network.file, content, network.sha256)
        return content

    def table(self, folder: Path) -> np.ndarray | None:
        """The numbers of table.npy, if the model has it."""
        if not self.table_sha256:
            return None
        return read_table(read_file(self.files_in(folder), TABLE, self.table_sha256), folder / TABLE)


def read_card(folder: Path) -> ModelCard:
    """The card of a model folder, or a `ValueError` that says what is wrong with it."""
    path = folder / CARD
    try:
        stored = json.loads(read_regular(path, MAX_CARD))
    except IrregularFileError as error:
        raise ValueError(f"{path} is not the card of a model: {error.strerror}") from None
    except OSError:
        raise ValueError(f"there is no {CARD} in {folder}; give the folder of a model") from None
    except (ValueError, RecursionError):  # neither text nor JSON, or deeper than any card is
        raise ValueError(f"{path} is damaged: it is no JSON; take the model from its source again") from None
    if not isinstance(stored, dict) or stored.pop("fuda_model", None) != FORMAT:
        raise ValueError(f"{path} is not a card of format {FORMAT}; it is damaged or of another fuda")
    # Older cards have neither: there were no other rules than the defaults.
    card = _checked({"files_of": "", "options": {}} | stored, ModelCard, path)
    if card["files_of"] and not NAME.fullmatch(card["files_of"]):
        raise ValueError(f"{path} is damaged: its entry files_of is not as it should be")
    card["networks"] = [NetworkFile(**_checked(network, NetworkFile, path)) for network in card["networks"]]
    for network in card["networks"]:
        are_here = all(name == Path(name).name for name in (network.file, network.part))
        if not are_here or not all(isinstance(decision, str) for decision in network.decisions):
            raise ValueError(f"{path} is damaged: its entry networks is not as it should be")
    return ModelCard(**card)


def read_file(folder: Path, name: str, sha256: str) -> bytes:
    """A file of the folder, or a `ValueError` if it is not the one that the card was written for."""
    content = _read(folder, name)
    _check_hash(folder, name, content, sha256)
    return content


def _read(folder: Path, name: str) -> bytes:
    path = folder / name
    try:
        return read_regular(path, MAX_FILE)
    except IrregularFileError as error:
        raise ValueError(f"{path} is not a file of a model: {error.strerror}") from None
    except OSError:
        raise ValueError(f"{path} is missing; the model cannot be used without it") from None


def _check_hash(folder: Path, name: str, content: bytes, sha256: str) -> None:
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ValueError(f"{folder / name} is not the file that {CARD} was written for: its SHA-256 differs")


def read_table(content: bytes, path: Path) -> np.ndarray:
    """The array of a .npy file, if there is as much of it as its header claims."""
    try:
        file = io.BytesIO(content)
        version = np.lib.format.read_magic(file)
        read_header = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }
        shape, _, dtype = read_header[version](file)
        if dtype.hasobject or math.prod(shape) * dtype.itemsize != len(content) - file.tell():
            raise ValueError
        return np.asarray(np.load(io.BytesIO(content)))
    except (ValueError, KeyError, MemoryError):
        raise ValueError(f"{path} is damaged: it is not the table that it says it is") from None


def write_files(
    folder: Path, card: ModelCard, networks: Mapping[str, bytes], table: np.ndarray | None
) -> None:
    """Write a model's files; `networks` are those that the card names, which gets their SHA-256 here.

    All are written beside the old ones first and then put in place, the card last: a run that is
    killed while it writes leaves the old model, but for a moment that is too short to care about.
    """
    files = dict(networks)
    described = asdict(card)
    described.pop("files_of")  # they are here
    for network in described["networks"]:
        for name in SHARED:
            network.pop(name)
        network["sha256"] = hashlib.sha256(files[network["file"]]).hexdigest()
    if table is not None:
        packed = io.BytesIO()
        np.save(packed, np.asarray(table, np.float32))
        files[TABLE] = packed.getvalue()
        described["table_sha256"] = hashlib.sha256(files[TABLE]).hexdigest()
    files[CARD] = (json.dumps({"fuda_model": FORMAT} | described, indent=1) + "\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(*(folder / name for name in files)) as opened:
        for file, content in zip(opened, files.values(), strict=True):
            file.write(content)


def _checked(stored: Any, kind: type, path: Path) -> dict[str, Any]:
    """The entries of a JSON object, if they are those of a dataclass and of its types."""
    if not isinstance(stored, dict):
        raise ValueError(f"{path} is damaged: {echo(stored)} is no JSON object")
    checks = _CHECKS[kind]
    stored = (SHARED if kind is NetworkFile else {}) | stored
    for name in (*checks, *stored):
        if name not in checks or name not in stored or not _fits(stored[name], checks[name]):
            raise ValueError(f"{path} is damaged: its entry {echo(name)[1:-1]} is not as it should be")
    return dict(stored)


def _fits(value: object, kinds: tuple[type | None, ...]) -> bool:
    return any(
        value is None if kind is None else isinstance(value, kind) and not isinstance(value, bool)
        for kind in kinds
    )


_CHECKS: dict[type, dict[str, tuple[type | None, ...]]] = {
    NetworkFile: {
        "file": (str,), "decisions": (list,), "shape": (dict,), "sha256": (str,), "part": (str,),
        "part_at": (int,),
    },
    ModelCard: {
        "game": (str,), "rules_version": (int,), "encoding": (str,), "encoding_version": (int,),
        "title": (str,), "line": (str,), "unit": (str, None), "scale": (float, int), "networks": (list,),
        "table_sha256": (str,), "options": (dict,), "made": (dict,), "files_of": (str,),
    },
}  # fmt: skip
