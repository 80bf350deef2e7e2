"""What players choose among who take a hand apart first: decompositions, each a multiset of groups.

A group is a move. Many decompositions of a hand share their groups, so each group is listed once for its
decision, and decompositions name places in that list: a network reads every group once.

K decisions, R groups of all of them, D decompositions, M members of all of these.
"""

from typing import NamedTuple

import numpy as np

from fuda.core.ragged import Lists, starts_of


class Decompositions(NamedTuple):
    """Decompositions of decisions, as lists of lists (`ragged.py`)."""

    groups: np.ndarray  # [R] actions, each once for its decision
    playable: np.ndarray  # [R] bool, whether it is a legal move there
    group_starts: np.ndarray  # [K + 1] where the groups of each decision start
    members: np.ndarray  # [M] places among the groups of the decision
    member_starts: np.ndarray  # [D + 1] where the members of each decomposition start
    starts: np.ndarray  # [K + 1] where the decompositions of each decision start

    def between(self, first: int, last: int) -> "Decompositions":
        """Those of decisions first..last-1 alone."""
        starts = self.starts[first : last + 1]
        member_starts = self.member_starts[starts[0] : starts[-1] + 1]
        group_starts = self.group_starts[first : last + 1]
        rows = slice(group_starts[0], group_starts[-1])
        return Decompositions(
            self.groups[rows], self.playable[rows], group_starts - group_starts[0],
            self.members[member_starts[0] : member_starts[-1]], member_starts - member_starts[0],
            starts - starts[0],
        )  # fmt: skip

    def take(self, index: np.ndarray) -> "Decompositions":
        """Those of the decisions `index`, in that order."""
        groups = Lists(self.groups, self.group_starts)
        mine = Lists(np.arange(len(self.member_starts) - 1), self.starts).take(index)
        members = Lists(self.members, self.member_starts).take(mine.items)
        taken = groups.take(index)
        return Decompositions(
            taken.items, self.playable[groups.places(index)], taken.starts, members.items, members.starts,
            mine.starts,
        )  # fmt: skip

    def alone(self, chosen: np.ndarray) -> "Decompositions":
        """The decompositions `chosen` [N], each the only one of a decision; groups are listed as often as
        they are in it.
        """
        members = Lists(self.rows, self.member_starts).take(chosen)
        places = np.arange(len(members.items)) - members.starts[members.rows]
        return Decompositions(
            self.groups[members.items], self.playable[members.items], members.starts, places, members.starts,
            np.arange(len(chosen) + 1),
        )  # fmt: skip

    def with_group(self, groups: np.ndarray) -> "Decompositions":
        """One more group in all decompositions of each decision: groups[k] [K], which can be played.

        It is the last of the decision's groups, and the last member.
        """
        counts, decisions = np.diff(self.group_starts), np.arange(len(groups))
        ends = self.member_starts[1:]
        of_decision = np.repeat(decisions, np.diff(self.starts))
        return Decompositions(
            np.insert(self.groups, self.group_starts[1:], groups),
            np.insert(self.playable, self.group_starts[1:], True), starts_of(counts + 1),
            np.insert(self.members, ends, counts[of_decision]), starts_of(np.diff(self.member_starts) + 1),
            self.starts,
        )  # fmt: skip

    @property
    def rows(self) -> np.ndarray:
        """The members [M] as places among all groups [R]."""
        ends = self.member_starts[self.starts]
        return self.members + np.repeat(self.group_starts[:-1], np.diff(ends))

    @property
    def group_decisions(self) -> np.ndarray:
        """The decision [R] that each group is of."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.group_starts))

    def table(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The members of some decompositions [N], as wide as the longest: places among all groups, [N, G].

        Shorter ones repeat their first; also whether there is a member, [N, G].
        """
        first, end = self.member_starts[chosen], self.member_starts[chosen + 1]
        places = first[:, None] + np.arange((end - first).max(initial=0))
        is_member = places < end[:, None]
        return self.rows[np.where(is_member, places, first[:, None])], is_member

    def of(self, k: int) -> list[np.ndarray]:
        """The groups of each decomposition of decision k."""
        found = self.between(k, k + 1)
        return [found.groups[part] for part in np.split(found.rows, found.member_starts[1:-1])]
