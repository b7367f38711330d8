"""Creating a match: the law checks the settings, and their bytes become the beginning of the chain."""

from collections.abc import Callable
from dataclasses import dataclass

from gammon_match.app.identity import created_match_id, request_digest
from gammon_match.app.law import Away, Faulty, Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import DurabilityLevel
from gammon_match.app.recording import Recorder, Writing, Written
from gammon_match.core.events import BatchEnd, MatchCreated, Player, Status
from gammon_match.core.refusals import (
    DurabilityNotOffered,
    Malformed,
    MatchNotFound,
    Overtaken,
    Refusal,
    RequestIdReused,
    RulesAway,
    Unsupported,
)


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """A request to create a match. `rules`: the law's part of the settings, as bytes.

    `settings` gives the bytes of all of them as they will be stored, once the rules version is known.
    """

    player: str
    request_id: str
    rules: bytes
    settings: Callable[[str], bytes]
    level: DurabilityLevel | None


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
        level = self._recorder.level(command.level)
        if isinstance(level, DurabilityNotOffered):
            return level
        begun = await self._law.begin(command.rules)
        match begun:
            case Away(cause):
                return RulesAway(cause)
            case Faulty(faults, supported):
                return Malformed(faults) if supported else Unsupported(faults)
        match_id = created_match_id(command.player, command.request_id, self._partitions)
        settings = command.settings(begun.rules_version)
        digest = request_digest(settings)
        writing = Writing(
            Player(command.player),
            command.request_id,
            (MatchCreated(settings, command.player),),
            BatchEnd(digest, b"", None, Status.SEATING, 0, 0),
        )
        found = await self._live.get(match_id)
        if isinstance(found, MatchNotFound):
            fresh = LiveMatch(match_id)
            async with fresh.lock:
                written = await self._recorder.write(fresh, writing, level)
            if isinstance(written, Written):
                return Created(self._live.keep(fresh), written.achieved)
            if not isinstance(written, Overtaken):
                return written
            found = await self._live.get(match_id)
        if not isinstance(found, LiveMatch):
            return found
        if found.match.settings != settings or found.match.creator != command.player:
            return RequestIdReused(command.request_id, 1)
        async with found.lock:
            again = await self._recorder.repeat(found, command.request_id, digest, level)
        if again is None:
            return RequestIdReused(command.request_id, 1)
        return Created(found, again.achieved) if isinstance(again, Written) else again
