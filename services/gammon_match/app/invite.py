"""Inviting somebody to an open seat."""

from dataclasses import dataclass

from gammon_match.app.invitations import Invitations
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.core.events import Status
from gammon_match.core.refusals import MatchIsClosed, NotYourSeat, Refusal, SeatUnavailable


@dataclass(frozen=True, slots=True)
class Invite:
    """A request for an invitation. `player` empty: for whoever brings it. `is_operator`: of the one who asks."""

    match_id: str
    asker: str
    is_operator: bool
    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class InviteHandler:
    """Makes invitations, and stores nothing: the same request has the same answer by itself."""

    live: LiveMatches
    invitations: Invitations

    async def __call__(self, command: Invite) -> str | Refusal:
        """The invitation; whoever created the match, sits at it or directs it may ask."""
        live = await self.live.current(command.match_id)
        if not isinstance(live, LiveMatch):
            return live
        match, terms, seat = live.match, live.terms(), command.seat
        may = command.is_operator or command.asker == match.creator or match.seat_of(command.asker) is not None
        if not may:
            return NotYourSeat(None)
        if match.status is Status.CLOSED:
            return MatchIsClosed(live.head.sequence)
        if seat >= terms.seats:
            return SeatUnavailable(seat, f"the match has seats 0 to {terms.seats - 1}")
        if match.holder(seat) is not None:
            return SeatUnavailable(seat, "the seat is taken")
        if terms.reserved_for(seat):
            return SeatUnavailable(seat, "the seat is reserved, and its player needs no invitation")
        return self.invitations.token(command.match_id, seat, command.player)
