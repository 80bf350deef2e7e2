"""How fast a game of Pgx is on the processor, many at once; bench/environments.py starts it.

A decision is a choice among the legal actions, a step of all environments, and their observations; all in one
compiled call, so that Python has no part in it.
"""

import argparse
import importlib.metadata
import json
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset
from rates import rate

STEPS = 10  # of a compiled call


def rates(game: str, num_envs: int, seconds: float) -> dict[str, Any]:
    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    def decide(state: Any, key: Any) -> tuple[Any, Any]:
        choosing, dealing = jax.random.split(key)
        chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(choosing, chances)
        # The sum keeps the compiler from leaving the observations out.
        return step(state, action, jax.random.split(dealing, num_envs)), state.observation.sum()

    run = jax.jit(lambda state, key: jax.lax.scan(decide, state, jax.random.split(key, STEPS)))
    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(1), num_envs))
    keys = iter(range(2**31))

    def play() -> int:
        nonlocal state
        state, seen = run(state, jax.random.PRNGKey(next(keys)))
        seen.block_until_ready()
        return STEPS * num_envs

    return {
        "game": game,
        "version": importlib.metadata.version("pgx"),
        "observations": rate(play, seconds),
        "numbers of an observation": int(state.observation[0].size),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--environments", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=1.0)
    wanted = parser.parse_args()
    print(json.dumps(rates(wanted.game, wanted.environments, wanted.seconds)))
