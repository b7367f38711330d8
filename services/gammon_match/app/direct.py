"""A director's rulings: the law's part by the rules service, the rest here; each with its reason, as an event."""

from dataclasses import dataclass

from gammon_match.app.deciding import Decider, answered_before
from gammon_match.app.law import Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.past import Earlier, Past
from gammon_match.app.ports import DurabilityLevel, Head
from gammon_match.app.recording import Recorder
from gammon_match.app.table_rulings import Pause, Replace, Resume, TableRuling, on_the_table
from gammon_match.app.turn import Act, place_of, rule_without_dice
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import CloseReason, MatchClosed, Operator, Status
from gammon_match.core.refusals import (
    NotStarted,
    Overtaken,
    Refusal,
    StoreAway,
)
from gammon_match.core.table_events import DirectorReason, DirectorRuled, TakenBack


@dataclass(frozen=True, slots=True)
class LawRuling:
    """A ruling that the law judges: the contract action's bytes, and the seat it is on, if it is on one."""

    action: bytes
    seat: int | None


@dataclass(frozen=True, slots=True)
class Close:
    """The match is closed as it stands."""


@dataclass(frozen=True, slots=True)
class TakeBackTo:
    """The match goes back to the batch end at a sequence."""

    sequence: int


Ruling = LawRuling | Close | TakeBackTo | TableRuling


@dataclass(frozen=True, slots=True)
class Direct:
    """A director's request. `seen`: the head that the ruling was made on, and its hash (empty: not known)."""

    match_id: str
    operator: str
    request_id: str
    seen: Head
    reason: DirectorReason
    ruling: Ruling
    digest: bytes


class DirectHandler:
    """Decides and stores rulings."""

    def __init__(self, decider: Decider, recorder: Recorder, law: Law, past: Past) -> None:
        """Builds the handler on what decides, the recorder, the law, and the stored past."""
        self._decider = decider
        self._recorder = recorder
        self._law = law
        self._past = past

    async def __call__(self, command: Direct) -> Written | Refusal:
        """The events of the ruling, stored now or before, or why there are none."""
        return await self._decider.decide(
            command.match_id, command.seen, lambda live, level: self._attempt(live, command, level)
        )

    async def _attempt(self, live: LiveMatch, command: Direct, level: DurabilityLevel) -> Written | Refusal:
        answer = await answered_before(self._recorder, live, command.seen, command.request_id, command.digest, level)
        if answer is not None:
            return answer
        # A ruling is on the match as the director saw it, and on nothing that came after.
        if command.seen.sequence != live.head.sequence:
            return Overtaken(live.head.sequence, live.head.hash)
        writing = await self._writing(live, command)
        return await self._recorder.write(live, writing, level) if isinstance(writing, Writing) else writing

    async def _writing(self, live: LiveMatch, command: Direct) -> Writing | Refusal:
        match command.ruling:
            case LawRuling():
                return await self._by_the_law(live, command, command.ruling)
            case Close():
                return self._closing(live, command)
            case TakeBackTo(sequence):
                return await self._going_back(live, command, sequence)
            case Pause() | Resume() | Replace():
                return await self._on_the_table(live, command, command.ruling)

    async def _on_the_table(self, live: LiveMatch, command: Direct, ruling: TableRuling) -> Writing | Refusal:
        look = await self._recorder.time.look(live)
        if isinstance(look, StoreAway):
            return look
        ruled = on_the_table(live, look, ruling, command.reason, command.digest)
        if not isinstance(ruled, tuple):
            return ruled
        return Writing(Operator(command.operator), command.request_id, *ruled)

    async def _by_the_law(self, live: LiveMatch, command: Direct, ruling: LawRuling) -> Writing | Refusal:
        place = place_of(live)
        if isinstance(place, NotStarted):
            return place
        turn = await rule_without_dice(self._law, place, Act(ruling.action, False, ruling.seat, command.digest))
        if isinstance(turn, Refusal):
            return turn
        return turn.writing(live, Operator(command.operator), command.request_id, (DirectorRuled(command.reason),))

    def _closing(self, live: LiveMatch, command: Direct) -> Writing:
        end = live.match.unchanged(command.digest, Status.CLOSED)
        events = (DirectorRuled(command.reason), MatchClosed(CloseReason.OPERATOR))
        return Writing(Operator(command.operator), command.request_id, events, end)

    async def _going_back(self, live: LiveMatch, command: Direct, sequence: int) -> Writing | Refusal:
        earlier = await self._past.at(live, sequence)
        if not isinstance(earlier, Earlier):
            return earlier
        back = (TakenBack(sequence, command.reason),)
        return earlier.writing(live, Operator(command.operator), command.request_id, back, command.digest)
