"""Let a shipped model share the file of another whose network is the same but for its last layer.

    python bench/share_file.py koikoi/best-point koikoi/best

The first keeps a file `last.bin` with its own bytes and loses its network, which is put together again when
it is read: what plays is what played before, and its hash is the same (bench/moves.py tells).
"""

import argparse
import json
from pathlib import Path

import numpy as np

from fuda.agents.model import MODELS
from fuda.nets.folder import CARD, read_card

PART = "last.bin"
MOST = 0.1  # of a file: more is another network


def share(folder: Path, other: Path, most: float = MOST) -> int:
    """Let the model in `folder` have its network from `other`, beside it; how many bytes stay its own."""
    (network,), (theirs,) = read_card(folder).networks, read_card(other).networks
    mine = np.fromfile(folder / network.file, np.uint8)
    shared = np.fromfile(other / theirs.file, np.uint8)
    if network.file != theirs.file or len(mine) != len(shared):
        raise ValueError(f"{folder.name} and {other.name} have networks of different shapes")
    differing = np.flatnonzero(mine != shared)
    if not len(differing) or len(range(differing[0], differing[-1] + 1)) > most * len(mine):
        raise ValueError(f"{folder.name} and {other.name} share nothing that is worth it, or all")
    first, last = int(differing[0]), int(differing[-1]) + 1
    card = json.loads((folder / CARD).read_text())
    card["files_of"] = other.name
    card["networks"][0] |= {"part": PART, "part_at": first}
    (folder / PART).write_bytes(mine[first:last].tobytes())
    (folder / CARD).write_text(json.dumps(card, indent=1) + "\n")
    read_card(folder).network(folder, 0)  # or it says that the hash differs
    (folder / network.file).unlink()
    return last - first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="which is to share, such as koikoi/best-point")
    parser.add_argument("of", help="whose file it is to have")
    given = parser.parse_args()
    kept = share(MODELS / given.model, MODELS / given.of)
    print(f"{given.model} has its network from {given.of}, but for {kept:,} bytes of its own")


if __name__ == "__main__":
    main()
