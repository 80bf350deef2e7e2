"""What agents think: values side by side, attention, and where two of them disagree."""

from fuda.explain.disagreements import Disagreement, disagreements
from fuda.explain.values import Explanation, Judgement, explain_move, valued_models

__all__ = ["Disagreement", "Explanation", "Judgement", "disagreements", "explain_move", "valued_models"]
