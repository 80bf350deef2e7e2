"""A package imports only from its left, and only what the training machine has."""

import ast
import sys
from pathlib import Path

import pytest

import fuda

ROOT = Path(fuda.__file__).parent
LAYERS = (
    ("core",), ("games",), ("records",), ("nets", "search"), ("agents",), ("arena",), ("explain",),
    ("training", "serve", "pettingzoo"), ("cli",),
)  # fmt: skip
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
OFFLINE = {
    "numpy", "numba", "scipy", "sklearn", "torch", "safetensors", "tensorboard", "onnx", "onnxruntime",
    "matplotlib", "typer", "rich",
}  # fmt: skip
ONLINE = {"serve", "pettingzoo"}  # may need more
FILES = sorted(ROOT.rglob("*.py"))


def imports(file: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def layer(file: Path) -> str:
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_go_to_the_left(file):
    own = layer(file)
    if own in ("__init__", "__main__"):  # the public surface stands above all
        return
    for name in imports(file):
        parts = name.split(".")
        if parts[0] != "fuda" or parts[1] == "__version__":
            continue
        other = parts[1]
        assert other == own or RANK[other] < RANK[own], f"{own} imports {name}"
        if own == other == "games" and len(parts) > 2 and (ROOT / "games" / parts[2]).is_dir():
            assert parts[2] == file.parent.name, "a game imports no other game"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_exist_on_the_training_machine(file):
    if layer(file) in ONLINE:
        return
    outside = {name.split(".")[0] for name in imports(file)} - set(sys.stdlib_module_names) - {"fuda"}
    assert outside <= OFFLINE


def test_games_never_see_torch_and_no_code_asks_which_game_it_is():
    for file in FILES:
        inside = file.is_relative_to(ROOT / "games")
        if layer(file) == "nets":
            assert not any(name.startswith("fuda.games") for name in imports(file))
        assert not (inside and any(name.startswith("torch") for name in imports(file)))
        if inside:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Compare):
                words = {leaf.value for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)}
                assert not words & set(fuda.list_games()), f"{file.name}:{node.lineno} asks for a game"
