"""One caller who watches a set of matches: what it was told of each, and what waits for it."""

import asyncio
from dataclasses import dataclass, replace

from gammon_match.app.following import Following
from gammon_match.app.index import Row
from gammon_match.app.ports import Head
from gammon_match.core.events import Status
from gammon_match.core.listing import Listing, Wanted
from gammon_match.core.refusals import TooSlow
from gammon_match.core.sight import Viewer

MOST_WAITING = 1000


@dataclass(frozen=True, slots=True)
class Told:
    """A match as it is now. `listing` None: it has left the set. `head`: told to its seats and to officials only."""

    match_id: str
    status: Status
    listing: bytes | None
    head: Head | None


@dataclass(frozen=True, slots=True)
class AllTold:
    """Every match of the set as it stood has been told."""


@dataclass(frozen=True, slots=True)
class Look:
    """The rows of a partition are to be looked at: changes up to a number will not be told any more."""

    partition: int
    position: int


@dataclass(frozen=True, slots=True)
class Changed:
    """A match's entry reads like this from now on; the head is that of the batch that changed it."""

    row: Row
    listing: Listing
    head: Head


@dataclass(frozen=True, slots=True)
class Moved:
    """A match has gone on."""

    match_id: str
    head: Head


@dataclass(frozen=True, slots=True)
class _Known:
    """What was told of a match; its entry is kept only for callers who hear how far their matches are."""

    sequence: int
    listing: Listing | None
    head: Head | None


@dataclass(frozen=True, slots=True)
class _Ended:
    """A match that was seen to be over, or out of the set, before that change came; it has this number at most."""

    partition: int
    sequence: int
    last_change: int


class LobbyCaller:
    """A caller. `waiting`: what is to be told, oldest first; a reader that finds it full cuts the caller off."""

    def __init__(self, wanted: Wanted, viewer: Viewer, following: Following) -> None:
        """A set by player, by tag or both; with neither the public matches."""
        self._following = following
        self._wanted = wanted
        # A lobby shows the same to everybody.
        self._viewer = viewer if wanted != Wanted() else Viewer("")
        self.waiting: asyncio.Queue[Look | Changed | Moved | TooSlow] = asyncio.Queue(MOST_WAITING)
        self.follows: set[str] = set()
        # Matches that may still change. None: a change waits, and nothing was told yet.
        self._known: dict[str, _Known | None] = {}
        self._ended: dict[str, _Ended] = {}
        self._cut_off = False

    def offer(self, item: Look | Changed) -> None:
        """Lets something wait for the caller, if it concerns the caller."""
        if self._cut_off:
            return
        if isinstance(item, Changed):
            match_id = item.row.match_id
            if match_id not in self._known:
                if not self.includes(item.listing):
                    return
                self._known[match_id] = None
        self._put(item)

    def follow(self, match_id: str, position: int) -> None:
        """Lets the heads of a match above a position wait for the caller."""
        self.follows.add(match_id)
        self._following.follow(match_id, position, self._moved)

    def includes(self, listing: Listing) -> bool:
        """Whether a match is of the set."""
        return self._wanted.takes(listing) and listing.is_shown_to(self._viewer)

    def hears_moves_of(self, listing: Listing) -> bool:
        """Whether the caller is told how far a match is: of a player's matches, with a seat of it or as an official."""
        viewer, player = self._viewer, self._wanted.player
        return bool(player) and (viewer.official or viewer.player == player in listing.players)

    def known(self) -> list[str]:
        """The matches that the caller was told of and that may still change."""
        return [match_id for match_id, known in self._known.items() if known is not None]

    def take(self, item: Changed | Moved) -> Told | None:
        """What waited, as the caller is to be told it; None: it knows."""
        if isinstance(item, Changed):
            ended = self._ended.get(item.row.match_id)
            if ended is not None and item.row.sequence <= ended.sequence:
                self._known.pop(item.row.match_id, None)
                return None
            return self.tell(item.row, item.listing, item.head)
        known = self._known.get(item.match_id)
        if known is None or known.listing is None or _is_later(known.head, item.head):
            return None
        self._known[item.match_id] = replace(known, head=item.head)
        return Told(item.match_id, known.listing.status, known.listing.raw, item.head)

    def tell(self, row: Row, listing: Listing, head: Head | None = None) -> Told | None:
        """A match by its row, as the caller is to be told it; None: it knows."""
        match_id, known = row.match_id, self._known.get(row.match_id)
        if known is not None and known.sequence >= row.sequence:
            return None
        hears = self.hears_moves_of(listing)
        if not hears:
            head = None
        elif known is not None and (head is None or _is_later(known.head, head)):
            head = known.head
        stays = self.includes(listing)
        if stays and listing.is_open:
            self._known[match_id] = _Known(row.sequence, listing if hears else None, head)
        else:
            self._known.pop(match_id, None)
        if match_id not in self._known or not hears:
            self.unfollow(match_id)
        if known is None and not stays:
            return None
        return Told(match_id, listing.status, listing.raw if stays else None, head if stays else None)

    def tell_ended(self, row: Row, listing: Listing, partition: int, last_change: int) -> Told | None:
        """The same of a match that is not among the open ones any more, as long as its change may still come."""
        told = self.tell(row, listing)
        if row.match_id not in self._known:
            self._ended[row.match_id] = _Ended(partition, row.sequence, last_change)
        return told

    def look(self, item: Look) -> None:
        """Begins to look: changes that were waited for will not come any more."""
        come = [of for of, ended in self._ended.items() if ended.partition == item.partition]
        for match_id in come:
            if self._ended[match_id].last_change <= item.position:
                del self._ended[match_id]

    def unfollow(self, match_id: str) -> None:
        """Ends it."""
        if match_id in self.follows:
            self.follows.discard(match_id)
            self._following.unfollow(match_id, self._moved)

    def leave(self) -> None:
        """Ends everything that was begun for the caller."""
        for match_id in tuple(self.follows):
            self.unfollow(match_id)

    def _moved(self, match_id: str, head: Head) -> None:
        if not self._cut_off:
            self._put(Moved(match_id, head))

    def _put(self, item: Look | Changed | Moved) -> None:
        if not self.waiting.full():
            self.waiting.put_nowait(item)
            return
        self._cut_off = True
        while not self.waiting.empty():
            self.waiting.get_nowait()
        self.waiting.put_nowait(TooSlow(0))


def _is_later(known: Head | None, head: Head) -> bool:
    return known is not None and known.sequence >= head.sequence
