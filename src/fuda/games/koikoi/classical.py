"""Players without learning."""

from fuda.core.game import Policy

POLICIES: tuple[Policy, ...] = ()
