"""Environments for learners: many matches at once over arrays, and what their observations are."""

from fuda.envs.layout import Block, Layout, encoding_of, layout_of
from fuda.envs.legal import Legal
from fuda.envs.vector import VectorEnv, vector

__all__ = ["Block", "Layout", "Legal", "VectorEnv", "encoding_of", "layout_of", "vector"]
