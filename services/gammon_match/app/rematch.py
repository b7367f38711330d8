"""A rematch: the same settings and the same players. Whoever of them asks, and however often, it is one match."""

from collections.abc import Callable
from dataclasses import dataclass

from gammon_match.app.create_match import Created, begin, create_or_find, first_writing
from gammon_match.app.identity import rematch_match_id, request_digest
from gammon_match.app.law import Begun, Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import DurabilityLevel
from gammon_match.app.recording import Recorder
from gammon_match.core.events import DiceSource, Status
from gammon_match.core.refusals import (
    DurabilityNotOffered,
    FieldFault,
    Malformed,
    NotOver,
    NotStarted,
    NotYourSeat,
    Refusal,
)


@dataclass(frozen=True, slots=True)
class Rematch:
    """A request for a rematch. `settings` gives their bytes from the old ones, the players and the rules version."""

    match_id: str
    player: str
    request_id: str
    settings: Callable[[bytes, str, tuple[str, ...], str], bytes]


class RematchHandler:
    """Creates rematches."""

    def __init__(self, law: Law, live: LiveMatches, recorder: Recorder, partitions: int) -> None:
        """`partitions`: of the store."""
        self._law = law
        self._live = live
        self._recorder = recorder
        self._partitions = partitions

    async def __call__(self, command: Rematch) -> LiveMatch | Refusal:
        """The rematch, created now or before."""
        old = await self._live.current(command.match_id)
        if not isinstance(old, LiveMatch):
            return old
        refused = _refused(old, command)
        if refused is not None:
            return refused
        terms = old.terms()
        begun = await begin(self._law, terms.rules)
        if not isinstance(begun, Begun):
            return begun
        level = self._recorder.level(terms.durability)
        if isinstance(level, DurabilityNotOffered):
            return level
        players = tuple(holder.player for _, holder in old.match.holders)
        settings = command.settings(old.match.settings, old.match_id, players, begun.rules_version)
        digest = request_digest(b"rematch", old.match_id.encode())
        writing = first_writing(command.player, command.request_id, settings, digest)
        match_id = rematch_match_id(old.match_id, self._partitions)
        found = await create_or_find(self._live, self._recorder, match_id, writing, level)
        if not isinstance(found, LiveMatch):
            return found.live if isinstance(found, Created) else found
        async with found.lock:
            achieved = await self._recorder.confirm(found, level)
        return found if isinstance(achieved, DurabilityLevel) else achieved


def _refused(old: LiveMatch, command: Rematch) -> Refusal | None:
    terms, match = old.terms(), old.match
    if terms.dice is DiceSource.RECORDED:
        fault = FieldFault("match_id", command.match_id, "contract", "was played elsewhere, and has no rematch here")
        return Malformed((fault,))
    if match.seat_of(command.player) is None:
        return NotYourSeat(None)
    if match.status is not Status.CLOSED:
        return NotOver(old.head.sequence)
    if len(match.holders) < terms.seats:
        return NotStarted(terms.seats - len(match.holders))
    return None
