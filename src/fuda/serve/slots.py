"""Time slots in which agents' moves are told: a move's time shall not tell what there was to think about.

Where the natural delay is off, a forced move would come at once and a chosen one later: that tells what
the agent holds. Here both come at the end of a slot that is as long as the agent lately needed for moves
that it chose. A slot is a power of two times the least one.
"""

import asyncio
from collections import defaultdict, deque

LATELY = 16  # moves


class Slots:
    """The slots of all agents of a server."""

    def __init__(self, least: float):
        self._least = least
        self._spent: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=LATELY))

    async def end(self, agent: str, began: float, is_choice: bool) -> None:
        """Wait for the end of the slot that a move which was begun then is told in."""
        loop = asyncio.get_running_loop()
        spent = loop.time() - began
        if is_choice:
            self._spent[agent].append(spent)
        slot = self.length(agent)
        slots = int(spent // slot) + 1
        await asyncio.sleep(began + slots * slot - loop.time())

    def length(self, agent: str) -> float:
        """In seconds. The longest of several does not count: while the agent was loaded, say."""
        longest = sorted(self._spent[agent])[-2:]
        slot = self._least
        while longest and slot < longest[0]:
            slot *= 2
        return slot
