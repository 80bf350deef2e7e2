"""A package imports only from its left, and only what the training machine has."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import fuda

ROOT = Path(fuda.__file__).parent
LAYERS = (
    ("core",), ("games",), ("records",), ("nets", "search"), ("agents",), ("arena",), ("explain",),
    ("training", "serve", "pettingzoo"), ("cli",),
)  # fmt: skip
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
OFFLINE = {
    "numpy", "numba", "scipy", "sklearn", "torch", "tensorboard", "onnx", "onnxruntime",
    "matplotlib", "typer", "rich",
}  # fmt: skip
ONLINE = {"serve", "pettingzoo"}  # may need more
TREES = {file.relative_to(ROOT): ast.parse(file.read_text()) for file in sorted(ROOT.rglob("*.py"))}


def imports() -> Iterator[tuple[Path, str]]:
    """Every file with each name that it imports."""
    for file, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from ((file, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                yield from ((file, f"{module}.{alias.name}") for alias in node.names)


def layer(file: Path) -> str:
    return file.parts[0].removesuffix(".py")


def test_imports_are_absolute_and_go_to_the_left():
    offences = []
    for file, name in imports():
        own, (package, *rest) = layer(file), name.split(".")
        if package not in ("fuda", "") or own in ("__init__", "__main__"):  # the surface stands above all
            continue
        other = rest[0] if rest else "__init__"
        goes_left = other in (own, "__version__") or RANK.get(other, len(LAYERS)) < RANK[own]
        if package != "fuda" or not goes_left:
            offences.append(f"{file} imports {name}")
    assert not offences, offences


def test_imports_exist_on_the_training_machine():
    known = OFFLINE | set(sys.stdlib_module_names) | {"fuda"}
    assert not [
        f"{file} imports {name}"
        for file, name in imports()
        if layer(file) not in ONLINE and name.split(".")[0] not in known
    ]


def test_games_see_neither_torch_nor_each_other_and_networks_see_no_game():
    games = set(fuda.list_games())  # folders that several games share are none of these
    offences = []
    for file, name in imports():
        own, (package, *rest) = layer(file), name.split(".")
        is_game = package == "fuda" and rest[:1] == ["games"]
        other_game = is_game and bool(set(rest[1:2]) & games - {file.parent.name})
        if (own == "games" and (package == "torch" or other_game)) or (own == "nets" and is_game):
            offences.append(f"{file} imports {name}")
    assert not offences, offences


def test_no_code_asks_which_game_it_is():
    games = set(fuda.list_games())
    assert not [
        f"{file}:{node.lineno}"
        for file, tree in TREES.items()
        if layer(file) != "games"
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and games & {leaf.value for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)}
    ]
