"""The recipe that docs/training.md shows has only entries that its algorithm knows."""

from pathlib import Path

from fuda.training import registry

PAGE = Path(__file__).parent.parent / "docs" / "training.md"


def test_the_recipe_of_the_documents_is_one(monkeypatch):
    code = PAGE.read_text().split("```python\nRECIPES", 1)[1].split("```", 1)[0]
    names = {}
    exec(f"RECIPES{code}", names)
    monkeypatch.setattr(registry, "_recipes", lambda game: names["RECIPES"])
    for name, plain in names["RECIPES"].items():
        algorithm, recipe = registry.find_recipe(name)
        assert algorithm.__name__.endswith(plain["algorithm"])
        assert recipe.games == plain["games"]
