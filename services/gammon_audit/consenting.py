"""Take-backs by consent: agreed on, proposed by a seat, consented to by all others, ended by any play (rule 8.5)."""

from collections.abc import Collection
from dataclasses import dataclass, field

from gammon.match.v1 import events_pb2
from gammon_audit.envelopes import Agreed


@dataclass(slots=True)
class _Proposal:
    to_sequence: int
    consenting: set[int] = field(default_factory=set)


class Consenting:
    """Folds the proposals of one match; every method says what is wrong, empty if nothing is."""

    def __init__(self, agreed: Agreed) -> None:
        """Starts before the first event of a match with these settings."""
        self._agreed = agreed
        self._open: _Proposal | None = None

    @property
    def by_all(self) -> bool:
        """Whether all seats consent, so that the take-back has to follow at once."""
        return self._open is not None and len(self._open.consenting) == self._agreed.rules.seats

    def end(self) -> None:
        """What was proposed is not about this position any more."""
        self._open = None

    def propose(self, envelope: events_pb2.Envelope, ends: Collection[int]) -> str:
        """Takes in a proposal. `ends`: the batch ends of play that stand."""
        said = envelope.take_back_proposed
        if not self._agreed.message.take_backs:
            return "taking back by consent was not agreed"
        fault = self._speaker_fault(envelope.actor, said.seat)
        if fault:
            return fault
        if self._open is not None:
            return "another take-back waits for answers"
        if said.to_sequence not in ends:
            return f"event {said.to_sequence} ends no batch of play that stands, to go back to"
        if said.to_sequence == max(ends):
            return f"nothing has happened since event {said.to_sequence}"
        self._open = _Proposal(said.to_sequence, {said.seat})
        return ""

    def answer(self, envelope: events_pb2.Envelope) -> str:
        """Takes in an answer to the open proposal."""
        said = envelope.take_back_answered
        fault = self._speaker_fault(envelope.actor, said.seat)
        if fault:
            return fault
        if self._open is None:
            return "no take-back waits for an answer"
        if not said.accepted:
            self._open = None
        elif said.seat in self._open.consenting:
            return f"seat {said.seat} consents twice"
        else:
            self._open.consenting.add(said.seat)
        return ""

    def take_back(self, envelope: events_pb2.Envelope) -> str:
        """Takes in that the match goes back by consent."""
        back, proposal = envelope.taken_back, self._open
        if back.reason or not envelope.actor.HasField("seat"):
            return "consent is the seats', and no director's"
        if proposal is None or not self.by_all:
            return "not all seats have consented"
        if back.to_sequence != proposal.to_sequence:
            return f"it was proposed to go back to event {proposal.to_sequence}"
        return ""

    def _speaker_fault(self, actor: events_pb2.Actor, seat: int) -> str:
        if not actor.HasField("seat") or actor.seat != seat or seat >= self._agreed.rules.seats:
            return f"seat {seat} did not say that itself"
        return ""
