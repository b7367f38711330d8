"""Acting for a seat, once (design 5): what is stored under the request id is the answer, else the head decides."""

from dataclasses import dataclass

from gammon_match.app.automatic import automatic_request_id
from gammon_match.app.deciding import Decider, seat_answered_before
from gammon_match.app.lapse import Lapses, flag_down
from gammon_match.app.law import Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.pausing import paused_by
from gammon_match.app.ports import DiceBox, DurabilityLevel, Head
from gammon_match.app.recording import Recorder
from gammon_match.app.timekeeper import Look
from gammon_match.app.turn import Act, Place, decide, place_of
from gammon_match.app.writing import Written
from gammon_match.core.events import DiceSource, Seated, Status
from gammon_match.core.refusals import (
    MatchIsClosed,
    MatchIsPaused,
    NotStarted,
    Overtaken,
    Refusal,
    RequestIdReused,
    StoreAway,
)


@dataclass(frozen=True, slots=True)
class ActForSeat:
    """A request to act. `seen`: the last sequence the client has seen, and its hash (empty: not known)."""

    match_id: str
    player: str
    seat: int
    request_id: str
    seen: Head
    action: bytes
    roll: bool
    digest: bytes
    level: DurabilityLevel | None


class ActHandler:
    """Decides and stores acts."""

    def __init__(self, decider: Decider, recorder: Recorder, law: Law, dice: DiceBox, lapses: Lapses) -> None:
        """Builds the handler on what decides, the recorder, the law, the dice, and what lapses amount to."""
        self._decider = decider
        self._recorder = recorder
        self._law = law
        self._dice = dice
        self._lapses = lapses

    async def __call__(self, command: ActForSeat) -> Written | Refusal:
        """The events of the act, stored now or before, or why there are none."""
        return await self._decider.decide(
            command.match_id, command.seen, lambda live, level: self._attempt(live, command, level), command.level
        )

    async def _attempt(self, live: LiveMatch, command: ActForSeat, level: DurabilityLevel) -> Written | Refusal:
        answer = await seat_answered_before(self._recorder, live, command.seen, command, level)
        if answer is not None:
            return answer
        place = place_of(live)
        if isinstance(place, NotStarted):
            return place
        overtaken = await self._overtaken(live, command, place)
        if not isinstance(overtaken, bool):
            return overtaken
        if overtaken:
            return await self._done_for_it(live, command, level) or Overtaken(live.head.sequence, live.head.hash)
        if live.match.status is Status.PAUSED:
            return MatchIsPaused(paused_by(live))
        if not live.terms().is_timed:
            return await self._decide(live, command, level, place, None)
        look = await self._recorder.time.look(live)
        if isinstance(look, StoreAway):
            return look
        flag = flag_down(live, look)
        if flag is None:
            return await self._decide(live, command, level, place, look)
        # It came too late, and the flag falls before it.
        fell = await self._lapses.fall(live, look, flag)
        if not isinstance(fell, Written):
            return fell
        if live.match.status is Status.CLOSED:
            return MatchIsClosed(live.head.sequence)
        return Overtaken(live.head.sequence, live.head.hash)

    async def _decide(
        self, live: LiveMatch, command: ActForSeat, level: DurabilityLevel, place: Place, look: Look | None
    ) -> Written | Refusal:
        act = Act(command.action, command.roll, command.seat, command.digest)
        turn = await decide(self._law, place, act, self._dice.throw, DiceSource.SERVICE, throws_on=True)
        if isinstance(turn, Refusal):
            return turn
        writing = turn.writing(live, Seated(command.seat), command.request_id)
        return await self._recorder.write(live, writing, level, look)

    async def _overtaken(self, live: LiveMatch, command: ActForSeat, place: Place) -> bool | Refusal:
        """Whether the match has gone on since it was seen, or to another seat's turn."""
        if command.seen.sequence == live.head.sequence:
            return False
        if command.seat not in place.standing.seats_to_act:
            return True
        return await self._decider.has_gone_on(live, command.seen.sequence)

    async def _done_for_it(
        self, live: LiveMatch, command: ActForSeat, level: DurabilityLevel
    ) -> Written | Refusal | None:
        """What the service did for the seat where the client wanted the very same: no conflict, but the answer."""
        request_id = automatic_request_id(command.seen.sequence)
        answer = await self._recorder.repeat(live, request_id, command.digest, level)
        return None if isinstance(answer, RequestIdReused) else answer
