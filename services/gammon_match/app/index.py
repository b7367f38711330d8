"""The index of matches: what is read of the projection that every append keeps up to date."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from gammon_match.app.ports import Head, Unreadable


@dataclass(frozen=True, slots=True)
class Row:
    """A match's row: its entry in lists as bytes, and the sequence of the event that last changed it.

    A match that the index knows by its id alone has sequence 0 and no bytes.
    """

    match_id: str
    sequence: int = 0
    listing: bytes = b""


class MatchIndex(Protocol):
    """Rows by facet. An id is in the list of all matches from its first event on."""

    async def page(self, partition: int, facets: Sequence[str], after: str, limit: int) -> Sequence[Row] | Unreadable:
        """Rows of at most `limit` matches of a partition with ids above `after`, ascending.

        They are those under the facet of these that has the fewest; without facets all.
        """
        ...

    async def rows(self, match_ids: Sequence[str]) -> Sequence[Row] | Unreadable:
        """The rows of matches, in their order."""
        ...

    async def heads(self, match_ids: Sequence[str]) -> Mapping[str, Head] | Unreadable:
        """The heads of those of the matches that there are."""
        ...
