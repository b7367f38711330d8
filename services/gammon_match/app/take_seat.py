"""Taking a seat. The last one taken starts the match."""

import hashlib
from dataclasses import dataclass

from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.identity import request_digest
from gammon_match.app.law import Away, Faulty, Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import DurabilityLevel
from gammon_match.app.recording import Recorder, Writing, Written
from gammon_match.core.events import BatchEnd, Event, MatchStarted, Player, SeatTaken, Status
from gammon_match.core.refusals import (
    DurabilityNotOffered,
    Overtaken,
    Refusal,
    RulesAway,
    SeatUnavailable,
    SettingsNotAccepted,
    Unsupported,
)

ATTEMPTS = 8


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """A request for a seat; None: any that is open to the player."""

    match_id: str
    player: str
    seat: int | None
    request_id: str
    accepted_settings: bytes
    level: DurabilityLevel | None


@dataclass(frozen=True, slots=True)
class Seated:
    """The seat, taken now or before, and how long that is known to last."""

    live: LiveMatch
    seat: int
    achieved: DurabilityLevel


class TakeSeatHandler:
    """Seats players."""

    def __init__(self, law: Law, live: LiveMatches, recorder: Recorder, automatic: AutomaticActs) -> None:
        """Builds the handler on the law, the matches in memory, the recorder, and what follows by itself."""
        self._law = law
        self._live = live
        self._recorder = recorder
        self._automatic = automatic

    async def __call__(self, command: TakeSeat) -> Seated | Refusal:
        """Takes a seat; taking one's own again is the same seat."""
        seated = await self._seat(command)
        if isinstance(seated, Seated):
            await self._automatic.run(seated.live)
        return seated

    async def _seat(self, command: TakeSeat) -> Seated | Refusal:
        level = self._recorder.level(command.level)
        if isinstance(level, DurabilityNotOffered):
            return level
        live = await self._live.get(command.match_id)
        if not isinstance(live, LiveMatch):
            return live
        async with live.lock:
            for _ in range(ATTEMPTS):
                fault = await self._recorder.settle(live)
                if fault is not None:
                    return fault
                outcome = await self._take(live, command, level)
                if not isinstance(outcome, Overtaken):
                    return outcome
                stale = await self._live.refresh(live)
                if stale is not None:
                    return stale
        return Overtaken(live.head.sequence, live.head.hash)

    async def _take(self, live: LiveMatch, command: TakeSeat, level: DurabilityLevel) -> Seated | Refusal:
        match, terms = live.match, live.terms()
        accepted = hashlib.sha256(match.settings).digest()
        if command.accepted_settings not in (b"", accepted):
            return SettingsNotAccepted(accepted)
        seat = choose_seat(live, command.player, command.seat)
        if isinstance(seat, SeatUnavailable):
            return seat
        if match.holder(seat) is not None:
            return Seated(live, seat, level)
        digest = request_digest(command.player.encode(), bytes([seat]))
        events: tuple[Event, ...] = (SeatTaken(seat, command.player, b"", command.accepted_settings),)
        seats_sequence = live.head.sequence + 1
        end = BatchEnd(digest, b"", None, Status.SEATING, 0, seats_sequence)
        if len(match.holders) + 1 == terms.seats:
            begun = await self._law.begin(terms.rules)
            match begun:
                case Away(cause):
                    return RulesAway(cause)
                case Faulty(faults):
                    return Unsupported(faults)
            events = (*events, MatchStarted(begun.rules_version))
            end = BatchEnd(digest, begun.state, begun.standing, Status.PLAYING, 0, seats_sequence)
        written = await self._recorder.write(
            live, Writing(Player(command.player), command.request_id, events, end), level
        )
        return Seated(live, seat, written.achieved) if isinstance(written, Written) else written


def choose_seat(live: LiveMatch, player: str, wanted: int | None) -> int | SeatUnavailable:
    """The seat a player gets: the one they hold, the one they want, or the first that is open to them."""
    match, terms = live.match, live.terms()
    if wanted is None:
        held = match.seat_of(player)
        if held is not None:
            return held
        for seat in range(terms.seats):
            if match.holder(seat) is None and terms.reserved_for(seat) in ("", player):
                return seat
        return SeatUnavailable(None, "no seat is open to this player")
    if wanted >= terms.seats:
        return SeatUnavailable(wanted, f"the match has seats 0 to {terms.seats - 1}")
    holder = match.holder(wanted)
    if holder is not None and holder.player != player:
        return SeatUnavailable(wanted, "the seat is held by somebody else")
    if holder is None and terms.reserved_for(wanted) not in ("", player):
        return SeatUnavailable(wanted, "the seat is reserved for somebody else")
    return wanted
