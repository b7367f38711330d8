"""Taking a seat, on terms that the player has accepted. The last one taken starts the match."""

import hashlib
from dataclasses import dataclass

from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.deciding import ATTEMPTS
from gammon_match.app.identity import request_digest
from gammon_match.app.invitations import Invitations
from gammon_match.app.law import Away, Faulty, Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import DurabilityLevel
from gammon_match.app.recording import Recorder
from gammon_match.app.spans import Span
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import BatchEnd, Event, MatchStarted, Player, SeatTaken, Status
from gammon_match.core.refusals import (
    BadInvitation,
    DurabilityNotOffered,
    MatchIsClosed,
    Overtaken,
    Refusal,
    RequestIdReused,
    RulesAway,
    SeatUnavailable,
    SettingsNotAccepted,
    Unsupported,
)
from gammon_match.core.table_events import NO_PREFERENCES, Preferences

HELD = "the seat is held by somebody else"


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """A request for a seat; None: any that is open to the player.

    `accepted_settings`: SHA-256 of the settings' bytes. `invitation` empty: none.
    """

    match_id: str
    player: str
    seat: int | None
    request_id: str
    accepted_settings: bytes
    level: DurabilityLevel | None
    invitation: str = ""
    preferences: Preferences = NO_PREFERENCES


@dataclass(frozen=True, slots=True)
class Seated:
    """The seat, taken now or before, and how long that is known to last."""

    live: LiveMatch
    seat: int
    achieved: DurabilityLevel


class TakeSeatHandler:
    """Seats players."""

    def __init__(
        self, law: Law, live: LiveMatches, recorder: Recorder, invitations: Invitations, automatic: AutomaticActs
    ) -> None:
        """Builds the handler on what it asks, on the invitations, and on what follows by itself."""
        self._law = law
        self._live = live
        self._recorder = recorder
        self._invitations = invitations
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
                # Read on first: a player who was just given the seat elsewhere is not refused here.
                fault = (
                    self._recorder.time.elsewhere(live)
                    or await self._recorder.settle(live)
                    or await self._live.refresh(live)
                )
                if fault is not None:
                    return fault
                outcome = await self._take(live, command, level)
                if not isinstance(outcome, Overtaken):
                    return outcome
        return Overtaken(live.head.sequence, live.head.hash)

    async def _take(self, live: LiveMatch, command: TakeSeat, level: DurabilityLevel) -> Seated | Refusal:
        accepted = hashlib.sha256(live.match.settings).digest()
        if command.accepted_settings != accepted:
            return SettingsNotAccepted(accepted)
        answered = await self._answered(live, command)
        seat = self._choose(live, command) if answered is None else answered
        if not isinstance(seat, int):
            return seat
        holder = live.match.holder(seat)
        if holder is not None:
            if holder.player != command.player:
                # The seat that this request took before was given to another.
                return SeatUnavailable(seat, HELD)
            achieved = await self._recorder.confirm(live, level)
            return Seated(live, seat, achieved) if isinstance(achieved, DurabilityLevel) else achieved
        if live.match.status is Status.CLOSED:
            return MatchIsClosed(live.head.sequence)
        return await self._sit_down(live, command, seat, level)

    async def _answered(self, live: LiveMatch, command: TakeSeat) -> int | Refusal | None:
        """The seat that this request took before; None: it took none yet."""
        span = await self._live.span_of(live, command.request_id)
        if not isinstance(span, Span):
            return span
        wanted = range(live.terms().seats) if command.seat is None else (command.seat,)
        took = next((seat for seat in wanted if span.digest == _digest(command, seat)), None)
        return RequestIdReused(command.request_id, span.last) if took is None else took

    def _choose(self, live: LiveMatch, command: TakeSeat) -> int | SeatUnavailable | BadInvitation:
        """The seat a player gets: the one they hold, the one they want or are invited to, or one open to them."""
        match, terms, player, wanted = live.match, live.terms(), command.player, command.seat
        if wanted is not None and wanted >= terms.seats:
            return SeatUnavailable(wanted, f"the match has seats 0 to {terms.seats - 1}")
        invited = None
        if command.invitation:
            invited = self._invitations.seat(command.invitation, live.match_id, player, terms.seats)
            if invited is None or wanted not in (None, invited):
                return BadInvitation(wanted, "the invitation is not for this match, seat and player")
        if wanted is None:
            wanted = match.seat_of(player) if invited is None else invited
        if wanted is None:
            return _any_open(live, player)
        holder = match.holder(wanted)
        if holder is not None:
            own = holder.player == player
            return wanted if own else SeatUnavailable(wanted, HELD)
        if terms.reserved_for(wanted) not in ("", player):
            return SeatUnavailable(wanted, "the seat is reserved for somebody else")
        if terms.needs_invitation(wanted) and invited is None:
            return BadInvitation(wanted, f"seat {wanted} is only for those who are invited")
        return wanted

    async def _sit_down(
        self, live: LiveMatch, command: TakeSeat, seat: int, level: DurabilityLevel
    ) -> Seated | Refusal:
        terms, digest = live.terms(), _digest(command, seat)
        taken = SeatTaken(seat, command.player, b"", command.accepted_settings, command.preferences)
        events: tuple[Event, ...] = (taken,)
        seats_sequence = live.head.sequence + 1
        end = BatchEnd(digest, b"", None, Status.SEATING, 0, seats_sequence)
        if len(live.match.holders) + 1 == terms.seats:
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


def _any_open(live: LiveMatch, player: str) -> int | SeatUnavailable | BadInvitation:
    """A seat that is reserved for the player, or else one that anybody may take."""
    terms = live.terms()
    still = [seat for seat in range(terms.seats) if live.match.holder(seat) is None]
    to_them = [seat for seat in still if terms.reserved_for(seat) in ("", player)]
    for seat in sorted(to_them, key=lambda seat: terms.reserved_for(seat) != player):
        if not terms.needs_invitation(seat):
            return seat
    if to_them:
        return BadInvitation(None, "the open seats are only for those who are invited")
    return SeatUnavailable(None, "no seat is open to this player")


def _digest(command: TakeSeat, seat: int) -> bytes:
    preferred = command.preferences
    flags = bytes([preferred.roll_without_choice, preferred.play_forced])
    return request_digest(command.player.encode(), bytes([seat]), flags)
