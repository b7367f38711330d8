"""Finding matches: through the facet that the fewest are under, row by row, with bounded work a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gammon_match.app.codec import Codec, Unknown
from gammon_match.app.index import MatchIndex, Row
from gammon_match.app.ports import Unreadable
from gammon_match.core.listing import Listing, Wanted
from gammon_match.core.refusals import Refusal, StoreAway
from gammon_match.core.sight import Viewer

# A page looks at so many rows at most: where few of them fit it may be short, and the next goes on behind them.
MOST_ROWS = 2000
ROWS_A_READ = 500
LEAST_ROWS_A_READ = 50


@dataclass(frozen=True, slots=True)
class Found:
    """A match, and its entry; None: the index has none, and who may see it is not known."""

    match_id: str
    listing: Listing | None


@dataclass(frozen=True, slots=True)
class FoundPage:
    """Some matches in the order of their ids; the next page is above `after`, an id (empty: there is none)."""

    found: Sequence[Found]
    after: str


class Finding:
    """Looks for matches."""

    def __init__(
        self, index: MatchIndex, codec: Codec, partition_of: Callable[[str], int | None], partitions: int
    ) -> None:
        """`partition_of`: of a match id; ids sort by partition first. `partitions`: of the store."""
        self._index = index
        self._codec = codec
        self._partition_of = partition_of
        self._partitions = partitions

    async def page(self, wanted: Wanted, viewer: Viewer, after: str, limit: int) -> FoundPage | Refusal:
        """At most `limit` matches with ids above `after` that are wanted and that the viewer sees."""
        found: list[Found] = []
        left, position = MOST_ROWS, after
        for partition in range(self._partition_of(after) or 0, self._partitions):
            while True:
                asked = min(ROWS_A_READ, left, max(limit - len(found) + 1, LEAST_ROWS_A_READ))
                rows = await self._index.page(partition, wanted.facets, position, asked)
                if isinstance(rows, Unreadable):
                    return StoreAway(rows.cause)
                for row in rows:
                    position = row.match_id
                    # What somebody else may have put among the ids is passed over.
                    if self._partition_of(row.match_id) != partition:
                        continue
                    fits = self._fitting(row, wanted, viewer)
                    if fits is not None:
                        if len(found) == limit:
                            return FoundPage(found, after)
                        found.append(fits)
                    after = row.match_id
                left -= len(rows)
                if left == 0:
                    return FoundPage(found, after)
                if len(rows) < asked:
                    break
            position = ""
        return FoundPage(found, "")

    def _fitting(self, row: Row, wanted: Wanted, viewer: Viewer) -> Found | None:
        listing = self._codec.read_listing(row.listing) if row.listing else Unknown("no entry")
        if isinstance(listing, Unknown):
            # A store that an earlier version wrote has such matches until its index is rebuilt.
            return Found(row.match_id, None) if viewer.official and wanted == Wanted() else None
        return Found(row.match_id, listing) if wanted.takes(listing) and listing.is_shown_to(viewer) else None
