"""What a batch changes of a match's place in lists: nothing, in most; and where a whole log leaves a match there."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from gammon_match.app.codec import Agreed, Codec
from gammon_match.app.live_match import LiveMatch, take_in
from gammon_match.app.ports import StoredEvent
from gammon_match.core.events import Envelope, MatchCreated, SeatTaken, Status
from gammon_match.core.listing import Listing, ListingChange
from gammon_match.core.match import Match, evolve
from gammon_match.core.refusals import CorruptMatch
from gammon_match.core.table_events import NO_PREFERENCES, PlayerReplaced, PreferencesSet

# Of all events only these change who is at a table. The status is changed by batch ends.
_SEATING = MatchCreated | SeatTaken | PlayerReplaced | PreferencesSet
_IN_PLAY = (Status.PLAYING, Status.AWAITING_DRAW, Status.PAUSED)


@dataclass(frozen=True, slots=True)
class Entry:
    """A match's place in lists, and the sequence of the event that last changed how its entry reads."""

    sequence: int
    listing: bytes
    facets: frozenset[str]


def listing_change(codec: Codec, match: Match, envelopes: Sequence[Envelope]) -> ListingChange | None:
    """What the batch of these events changes of a match's place in lists; None: nothing."""
    end = envelopes[-1].batch_end
    moved = end is not None and end.status is not match.status
    if not moved and not any(isinstance(envelope.event, _SEATING) for envelope in envelopes):
        return None
    listing, facets = _place(codec, reduce(evolve, envelopes, match))
    if match.sequence == 0:
        return ListingChange(listing.raw, facets, frozenset())
    before, facets_before = _place(codec, match)
    if listing == before and facets == facets_before:
        return None
    return ListingChange(None if listing == before else listing.raw, facets, facets_before - facets)


def entry_of(match_id: str, events: Sequence[StoredEvent], codec: Codec) -> Entry | CorruptMatch:
    """The place in lists that the whole log of a match leaves it at."""
    live, seen = LiveMatch(match_id), Match()
    entry = Entry(0, b"", frozenset())
    for event in events:
        fault = take_in(live, (event,), codec)
        if fault is not None:
            return fault
        match = live.match
        if match.batch_sequence != match.sequence:
            continue
        if seen.sequence == 0 or (match.status, match.holders) != (seen.status, seen.holders):
            listing, facets = _place(codec, match)
            sequence = entry.sequence if listing.raw == entry.listing else match.sequence
            entry = Entry(sequence, listing.raw, facets)
        seen = match
    return entry if entry.sequence else CorruptMatch(len(events) + 1, "the first batch has no end")


def _place(codec: Codec, match: Match) -> tuple[Listing, frozenset[str]]:
    listing, agreed = codec.listing(match), codec.read_settings(match.settings)
    measured = isinstance(agreed, Agreed) and agreed.is_timed
    served = any(holder.preferences != NO_PREFERENCES for _, holder in match.holders)
    return listing, listing.facets(timed=match.status in _IN_PLAY and (measured or served))
