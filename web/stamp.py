"""Notes from which source the committed page was built, and what was built, so that a check needs no Node.

python web/stamp.py            after a build: writes the sums of the source and of the page beside the page
python web/stamp.py --check    compares them with both as they are now
"""

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

WEB = Path(__file__).parent
PAGE = WEB.parent / "src/fuda/serve/static"
STAMP = PAGE / "stamp.sha256"
LEFT_OUT = {"node_modules", "generated", "shots", "__pycache__"}


def sum_of(folder: Path, paths: Iterable[Path]) -> str:
    """A sum over the names and contents of files."""
    total = hashlib.sha256()
    for path in sorted(paths):
        name = path.relative_to(folder).as_posix()
        total.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def sums() -> dict[str, str]:
    """Those of the source and of the page as they are now."""
    source = [
        path
        for path in WEB.rglob("*")
        if path.is_file() and path.suffix != ".py" and not LEFT_OUT & set(path.relative_to(WEB).parts)
    ]
    page = [path for path in PAGE.rglob("*") if path.is_file() and path != STAMP]
    return {"source": sum_of(WEB, source), "page": sum_of(PAGE, page)}


def main() -> None:
    """Write the stamp, or check it."""
    now = sums()
    if "--check" not in sys.argv:
        STAMP.write_text("".join(f"{total}  {what}\n" for what, total in now.items()))
        return
    lines = STAMP.read_text().splitlines() if STAMP.exists() else []
    noted = {what: total for total, what in map(str.split, lines)}
    if noted.get("page") != now["page"]:
        sys.exit("the page in src/fuda/serve/static is not as it was built: run make page")
    if noted.get("source") != now["source"]:
        sys.exit("the page in src/fuda/serve/static is not built from web/ as it is: run make page")


if __name__ == "__main__":
    main()
