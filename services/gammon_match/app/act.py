"""Acting for a seat, once (design 5): what is stored under the request id is the answer, else the head decides."""

from dataclasses import dataclass, replace

from gammon_match.app.deciding import answered_before, decide_at_head
from gammon_match.app.lapse import Lapses, flag_down
from gammon_match.app.law import Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.pausing import paused_by
from gammon_match.app.ports import DiceBox, DurabilityLevel, Head
from gammon_match.app.recording import Recorder, Writing, Written
from gammon_match.app.timekeeper import Look
from gammon_match.app.turn import Act, Place, decide
from gammon_match.core.events import DiceSource, Seated, Status
from gammon_match.core.refusals import (
    DurabilityNotOffered,
    MatchIsClosed,
    MatchIsPaused,
    NotStarted,
    NotYourSeat,
    Overtaken,
    Refusal,
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

    def __init__(self, law: Law, live: LiveMatches, recorder: Recorder, dice: DiceBox, lapses: Lapses) -> None:
        """Builds the handler on the law, the matches in memory, the recorder, the dice, and what lapses amount to."""
        self._lapses = lapses
        self._law = law
        self._live = live
        self._recorder = recorder
        self._dice = dice

    async def __call__(self, command: ActForSeat) -> Written | Refusal:
        """The events of the act, stored now or before, or why there are none."""
        level = self._recorder.level(command.level)
        if isinstance(level, DurabilityNotOffered):
            return level
        live = await self._live.get(command.match_id)
        if not isinstance(live, LiveMatch):
            return live
        return await decide_at_head(
            self._live, self._recorder, live, command.seen, lambda: self._attempt(live, command, level)
        )

    async def _attempt(self, live: LiveMatch, command: ActForSeat, level: DurabilityLevel) -> Written | Refusal:
        holder = live.match.holder(command.seat)
        if holder is None or holder.player != command.player:
            return NotYourSeat(command.seat)
        answer = await answered_before(self._recorder, live, command.seen, command.request_id, command.digest, level)
        if answer is not None:
            return answer
        if live.match.standing is None:
            return NotStarted(live.terms().seats - len(live.match.holders))
        if self._overtaken(live, command):
            return Overtaken(live.head.sequence, live.head.hash)
        if live.match.status is Status.PAUSED:
            return MatchIsPaused(paused_by(live))
        if not live.terms().is_timed:
            return await self._decide(live, command, level, None)
        look = await self._recorder.time.look(live)
        if isinstance(look, StoreAway):
            return look
        flag = flag_down(live, look)
        if flag is None:
            return await self._decide(live, command, level, look)
        # It came too late, and the flag falls before it.
        fell = await self._lapses.fall(live, look, flag)
        if not isinstance(fell, Written):
            return fell
        if live.match.status is Status.CLOSED:
            return MatchIsClosed(live.head.sequence)
        return Overtaken(live.head.sequence, live.head.hash)

    def _overtaken(self, live: LiveMatch, command: ActForSeat) -> bool:
        """Whether the match has gone on since it was seen: a ruling, another phase, other dice, another's turn."""
        if command.seen.sequence == live.head.sequence:
            return False
        standing = live.match.standing
        assert standing is not None
        seen = live.span_at(command.seen.sequence)
        return (
            seen is None
            or seen.last < live.match.ruled_sequence
            or seen.phase != standing.phase
            or seen.draws != live.match.draws
            or command.seat not in standing.seats_to_act
        )

    async def _decide(
        self, live: LiveMatch, command: ActForSeat, level: DurabilityLevel, look: Look | None
    ) -> Written | Refusal:
        match, terms = live.match, live.terms()
        assert match.standing is not None
        place = Place(terms.rules, terms.rules_version, match.state, match.standing, match.draws)
        act = Act(command.action, command.roll, command.seat, command.digest)
        turn = await decide(self._law, place, act, self._dice.throw, DiceSource.SERVICE, throws_on=True)
        if isinstance(turn, Refusal):
            return turn
        return await self._recorder.write(
            live,
            Writing(
                Seated(command.seat),
                command.request_id,
                turn.events,
                replace(turn.end, seats_sequence=match.seats_sequence),
                game_ended=turn.game_ended,
                play_ended=turn.play_ended,
            ),
            level,
            look,
        )
