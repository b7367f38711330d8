"""Creating a match: the law checks the settings, and their bytes become the beginning of the chain."""

from collections.abc import Callable
from dataclasses import dataclass

from gammon_match.app.identity import created_match_id, request_digest
from gammon_match.app.law import Away, Begun, Faulty, Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import DurabilityLevel
from gammon_match.app.recording import Recorder
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import BatchEnd, MatchCreated, Player, Status
from gammon_match.core.refusals import (
    DurabilityNotOffered,
    FieldFault,
    Malformed,
    MatchNotFound,
    Overtaken,
    Refusal,
    RequestIdReused,
    RulesAway,
    Unsupported,
    faulty,
)


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """A request to create a match. `rules`: the law's part of the settings, as bytes.

    `settings` gives the bytes of all of them as they will be stored, once the rules version is known. `malformed` and
    `unsupported`: what is wrong with the request beside the law's part.
    """

    player: str
    request_id: str
    rules: bytes
    settings: Callable[[str], bytes]
    level: DurabilityLevel | None
    malformed: tuple[FieldFault, ...] = ()
    unsupported: tuple[FieldFault, ...] = ()


@dataclass(frozen=True, slots=True)
class Created:
    """The match, and how long it is known to last."""

    live: LiveMatch
    achieved: DurabilityLevel


class CreateMatchHandler:
    """Creates matches."""

    def __init__(self, law: Law, live: LiveMatches, recorder: Recorder, partitions: int) -> None:
        """`partitions`: of the store."""
        self._law = law
        self._live = live
        self._recorder = recorder
        self._partitions = partitions

    async def __call__(self, command: CreateMatch) -> Created | Refusal:
        """Creates the match, or finds the one that the same request created before."""
        begun = await begin(self._law, command.rules, command.malformed, command.unsupported)
        if not isinstance(begun, Begun):
            return begun
        level = self._recorder.level(command.level)
        if isinstance(level, DurabilityNotOffered):
            return level
        match_id = created_match_id(command.player, command.request_id, self._partitions)
        settings = command.settings(begun.rules_version)
        writing = first_writing(command.player, command.request_id, settings, request_digest(settings))
        found = await create_or_find(self._live, self._recorder, match_id, writing, level)
        if not isinstance(found, LiveMatch):
            return found
        if found.match.settings != settings or found.match.creator != command.player:
            return RequestIdReused(command.request_id, 1)
        async with found.lock:
            again = await self._recorder.repeat(found, command.request_id, writing.end.request_digest, level)
        if again is None:
            return RequestIdReused(command.request_id, 1)
        return Created(found, again.achieved) if isinstance(again, Written) else again


async def begin(
    law: Law, rules: bytes, malformed: tuple[FieldFault, ...] = (), unsupported: tuple[FieldFault, ...] = ()
) -> Begun | Refusal:
    """Where a match with these settings starts, or all that is wrong with them, the law's part and the rest at once.

    Where the rules service does not answer, a fault that is known is told all the same: it would only come back.
    """
    begun = await law.begin(rules)
    if isinstance(begun, Faulty):
        if malformed or begun.supported:
            return Malformed((*malformed, *begun.faults, *unsupported))
        return Unsupported((*begun.faults, *unsupported))
    wrong = faulty(malformed, unsupported)
    if wrong is not None:
        return wrong
    return RulesAway(begun.cause) if isinstance(begun, Away) else begun


def first_writing(creator: str, request_id: str, settings: bytes, digest: bytes) -> Writing:
    """The first batch of a match that a player creates."""
    end = BatchEnd(digest, b"", None, Status.SEATING, 0, 0)
    return Writing(Player(creator), request_id, (MatchCreated(settings, creator),), end)


async def create_or_find(
    live: LiveMatches, recorder: Recorder, match_id: str, writing: Writing, level: DurabilityLevel
) -> Created | LiveMatch | Refusal:
    """The match, created now; or the one that has this id already, whoever created it."""
    found = await live.get(match_id)
    if not isinstance(found, MatchNotFound):
        return found
    fresh = LiveMatch(match_id)
    async with fresh.lock:
        written = await recorder.write(fresh, writing, level)
    if isinstance(written, Written):
        return Created(live.keep(fresh), written.achieved)
    return await live.get(match_id) if isinstance(written, Overtaken) else written
