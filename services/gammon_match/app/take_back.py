"""Take-backs by consent of all seats, where the settings allow them (rule 8.5)."""

from dataclasses import dataclass

from gammon_match.app.deciding import Decider, seat_answered_before
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.past import Earlier, Past
from gammon_match.app.ports import DurabilityLevel, Head
from gammon_match.app.recording import Recorder
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import Seated
from gammon_match.core.refusals import NoTakeBack, NotStarted, Overtaken, Refusal
from gammon_match.core.table import Proposal
from gammon_match.core.table_events import TakeBackAnswered, TakeBackProposed, TakenBack


@dataclass(frozen=True, slots=True)
class Propose:
    """To go back to the batch end at a sequence."""

    to_sequence: int


@dataclass(frozen=True, slots=True)
class Answer:
    """Consent, or not: who does not consent ends the proposal, and so does its maker."""

    accept: bool


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A seat's word on a take-back. `seen`: the last sequence the client has seen."""

    match_id: str
    player: str
    seat: int
    request_id: str
    seen: Head
    word: Propose | Answer
    digest: bytes


class TakeBackHandler:
    """Proposes take-backs, takes the answers, and goes back with the last consent."""

    def __init__(self, decider: Decider, recorder: Recorder, past: Past) -> None:
        """Builds the handler on what decides, the recorder, and the stored past."""
        self._decider = decider
        self._recorder = recorder
        self._past = past

    async def __call__(self, command: TakeBack) -> Written | Refusal:
        """The events of what was said, stored now or before, or why there are none."""
        return await self._decider.decide(
            command.match_id, command.seen, lambda live, level: self._attempt(live, command, level)
        )

    async def _attempt(self, live: LiveMatch, command: TakeBack, level: DurabilityLevel) -> Written | Refusal:
        answer = await seat_answered_before(self._recorder, live, command.seen, command, level)
        if answer is not None:
            return answer
        terms = live.terms()
        if not terms.take_backs:
            return NoTakeBack("taking back by consent was not agreed")
        if live.match.standing is None:
            return NotStarted(terms.seats - len(live.match.holders))
        match command.word:
            case Propose(to_sequence):
                writing = await self._proposed(live, command, to_sequence)
            case Answer(accept):
                writing = await self._answered(live, command, accept)
        return await self._recorder.write(live, writing, level) if isinstance(writing, Writing) else writing

    async def _proposed(self, live: LiveMatch, command: TakeBack, to_sequence: int) -> Writing | Refusal:
        gone_on = await self._decider.has_gone_on(live, command.seen.sequence)
        if not isinstance(gone_on, bool):
            return gone_on
        if gone_on:
            return Overtaken(live.head.sequence, live.head.hash)
        if live.match.table.proposal is not None:
            return NoTakeBack("another take-back waits for answers")
        earlier = await self._past.at(live, to_sequence)
        if not isinstance(earlier, Earlier):
            return earlier
        return self._said(live, command, TakeBackProposed(command.seat, to_sequence))

    async def _answered(self, live: LiveMatch, command: TakeBack, accept: bool) -> Writing | Refusal:
        proposal = live.match.table.proposal
        if proposal is None:
            return NoTakeBack("no take-back waits for an answer")
        if command.seen.sequence < proposal.sequence:
            return Overtaken(live.head.sequence, live.head.hash)
        if not accept:
            return self._said(live, command, TakeBackAnswered(command.seat, accepted=False))
        if command.seat in proposal.consenting:
            return NoTakeBack(f"seat {command.seat} consents already")
        consents = TakeBackAnswered(command.seat, accepted=True)
        if len(proposal.consenting) + 1 < live.terms().seats:
            return self._said(live, command, consents)
        return await self._going_back(live, command, proposal, consents)

    async def _going_back(
        self, live: LiveMatch, command: TakeBack, proposal: Proposal, consents: TakeBackAnswered
    ) -> Writing | Refusal:
        earlier = await self._past.at(live, proposal.to_sequence)
        if not isinstance(earlier, Earlier):
            return earlier
        back = TakenBack(proposal.to_sequence, None, by_consent=True)
        return earlier.writing(live, Seated(command.seat), command.request_id, (consents, back), command.digest)

    def _said(self, live: LiveMatch, command: TakeBack, word: TakeBackProposed | TakeBackAnswered) -> Writing:
        end = live.match.unchanged(command.digest)
        return Writing(Seated(command.seat), command.request_id, (word,), end)
