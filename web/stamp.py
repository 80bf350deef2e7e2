"""Notes from which source the committed page was built, so that a check needs no Node.

python web/stamp.py            after a build: writes the sum of the source beside the page
python web/stamp.py --check    compares it with the source as it is now
"""

import hashlib
import sys
from pathlib import Path

WEB = Path(__file__).parent
STAMP = WEB.parent / "src/fuda/serve/static/source.sha256"
LEFT_OUT = {"node_modules", "generated", "shots", "__pycache__"}


def source_sum() -> str:
    """A sum over the names and contents of all source files."""
    total = hashlib.sha256()
    for path in sorted(WEB.rglob("*")):
        name = path.relative_to(WEB)
        if path.is_file() and path.suffix != ".py" and not LEFT_OUT & set(name.parts):
            total.update(f"{name.as_posix()}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def main() -> None:
    """Write the stamp, or check it."""
    if "--check" not in sys.argv:
        STAMP.write_text(source_sum() + "\n")
    elif not STAMP.exists() or STAMP.read_text().strip() != source_sum():
        sys.exit("the page in src/fuda/serve/static is not built from web/ as it is: run make page")


if __name__ == "__main__":
    main()
