"""A package imports only from its left, only what the training machine has, and knows no game's words."""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import fuda
from fuda.games import spec

ROOT = Path(fuda.__file__).parent
LAYERS = (
    ("core",), ("games",), ("records",), ("nets", "search", "bots"), ("agents",), ("arena", "envs"),
    ("explain",), ("training", "serve", "pettingzoo", "openspiel"), ("cli",),
)  # fmt: skip
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
OFFLINE = {
    "numpy", "numba", "scipy", "sklearn", "torch", "tensorboard", "onnx", "onnxruntime",
    "matplotlib", "typer", "rich",
}  # fmt: skip
ONLINE = {"serve", "pettingzoo", "openspiel"}  # may need more
WHEN_ASKED = {Path("arena/cluster.py"): {"ray"}}  # imported by a function, for those who have it
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
        if layer(file) not in ONLINE and name.split(".")[0] not in known | WHEN_ASKED.get(file, set())
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


# What all states have, and names by which code here calls states, or what it gets them from.
COMMON_FIELDS = {"seat", "status", "spare"}
FIELDS = {name for game in fuda.list_games() for name in spec(game).rules.STATE.names} - COMMON_FIELDS
STATES = {
    "state", "states", "view", "views", "root", "roots", "leaf", "leaves", "final", "finals", "games",
    "before", "after", "view_before", "view_after",
}  # fmt: skip
GIVES_STATES = {"new_states", "view_record"}
# Layers that hold states; the others have dictionaries, with keys of their own.
HOLD_STATES = {"core", "nets", "search", "agents", "arena", "explain", "training"}


def own_attributes(trees: Iterable[ast.AST]) -> set[str]:
    """What classes here call parts of their own: such an attribute need not be a game's field."""
    found = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.ClassDef):
            parts = [part for part in node.body if isinstance(part, ast.AnnAssign | ast.FunctionDef)]
            found |= {part.target.id if isinstance(part, ast.AnnAssign) else part.name for part in parts}
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found |= {node.attr} if isinstance(node.value, ast.Name) and node.value.id == "self" else set()
    return found


def states_in(tree: ast.AST) -> set[str]:
    """The names of states in a file: the usual ones, and those that are bound to them."""
    names, count = set(STATES), 0
    while count < len(names):
        count = len(names)
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                pairs = [(target, node.value) for target in node.targets]
            elif isinstance(node, ast.For | ast.comprehension):
                pairs = [(node.target, node.iter)]
            elif isinstance(node, ast.NamedExpr):
                pairs = [(node.target, node.value)]
            else:
                continue
            for target, value in pairs:
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    pairs += zip(target.elts, value.elts, strict=False)
                elif isinstance(target, ast.Name | ast.Attribute) and is_state(value, names):
                    names.add(target.id if isinstance(target, ast.Name) else target.attr)
    return names


def dictionaries_in(tree: ast.AST) -> set[ast.AST]:
    """Where functions name arguments that they declare as dictionaries: a checkpoint's state is no game's."""
    return {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for argument in function.args.args
        if argument.annotation and ast.unparse(argument.annotation).startswith(("dict[", "Mapping["))
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == argument.arg
    }


def is_state(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression is a state, or many, or a part of many."""
    if isinstance(node, ast.Subscript):
        return is_state(node.value, names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in GIVES_STATES or is_state(node.func.value, names)  # states.copy()
    return (isinstance(node, ast.Name) and node.id in names) or (
        isinstance(node, ast.Attribute) and node.attr in names
    )


def fields_read(tree: ast.AST, own: set[str]) -> Iterator[tuple[int, str]]:
    """Where code reads or writes a field of a game's state, by line.

    An attribute with the name of a field is one if it is that of a state, or if no class here has such an
    attribute. A key is one unless the file itself writes a dictionary with that key.
    """
    names, dictionaries = states_in(tree), dictionaries_in(tree)
    keys = {
        key.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in FIELDS:
            if node.attr not in own or is_state(node.value, names):
                yield node.lineno, node.attr
        elif isinstance(node, ast.Subscript):
            parts = {part.value for part in ast.walk(node.slice) if isinstance(part, ast.Constant)}
            of_state = is_state(node.value, names - {"games"}) and node.value not in dictionaries
            others = set() if of_state else keys  # games are a dictionary in a checkpoint
            yield from ((node.lineno, field) for field in sorted(parts & FIELDS - others, key=str))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            field = node.args[1].value if isinstance(node.args[1], ast.Constant) else None
            if field in FIELDS and (field not in own or is_state(node.args[0], names)):
                yield node.lineno, field


def test_no_code_outside_a_game_reads_its_fields():
    own = own_attributes(tree for file, tree in TREES.items() if layer(file) != "games")
    offences = [
        f"{file}:{line} reads {field}"
        for file, tree in TREES.items()
        if layer(file) in HOLD_STATES
        for line, field in fields_read(tree, own)
    ]
    assert not offences, offences


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("play.states['round_index'][going]", ["round_index"]),
        ("lead = states['points'][:, 0] - states['points'][:, 1]", ["points", "points"]),
        ("def kernel(state):\n    return state.dealer", ["dealer"]),
        ("for b in range(n):\n    games[b].turn += 1", ["turn"]),
        ("whatever.landlord", ["landlord"]),  # no class here has one
        ("position.turn", []),  # but something has a `turn`,
        ("position = play.states[3]\nposition.turn", ["turn"]),  # which this is not
        ("for position in play.states:\n    position.turn", ["turn"]),
        ("mine, theirs = spec.new_states(2), 3\nmine.copy()[0].turn", ["turn"]),
        ("match.view_record(0)[0].turn", ["turn"]),
        ("spec.turn", []),
        ("getattr(state, 'turn')", ["turn"]),
        ("getattr(spec, 'turn')", []),
        ("states[['dealer', 'seat']]", ["dealer"]),
        ("options['rounds']", ["rounds"]),
        ("stored = {'table': 1}\nstored['table']", []),  # a dictionary of its own
        ("stored = {'points': 1}\nstates['points']", ["points"]),
        ("def restore(state: dict[str, int]):\n    {'deals': 1}\n    state['deals']", []),  # a checkpoint's
        ("def restore(state):\n    {'deals': 1}\n    state['deals']", ["deals"]),
        ("state.seat, state.status, states['seat']", []),  # what all states have
        ("points = dealer = 1\npoints + dealer", []),
    ],
)
def test_planted_reads_of_fields_are_found(code, found):
    own = own_attributes(tree for file, tree in TREES.items() if layer(file) != "games")
    assert "turn" in own
    assert "landlord" not in own
    assert sorted(field for _, field in fields_read(ast.parse(code), own)) == found
