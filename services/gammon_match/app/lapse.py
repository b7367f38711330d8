"""A lapse: a seat loses by its clock or its absence, at the price of the law (rule 8.4)."""

from dataclasses import dataclass

from gammon_match.app.identity import request_digest
from gammon_match.app.law import Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.recording import Recorder
from gammon_match.app.timekeeper import Look
from gammon_match.app.turn import Act, place_of, rule_without_dice
from gammon_match.app.writing import Writing, Written
from gammon_match.core.clock import fallen
from gammon_match.core.events import Actor, Status, System
from gammon_match.core.refusals import NotStarted, Refusal
from gammon_match.core.table_events import AbsenceTimed, FlagFell


@dataclass(frozen=True, slots=True)
class Lapses:
    """What lapses amount to. `action`: the contract's action of a lapse, as bytes; the seat is said beside it."""

    law: Law
    recorder: Recorder
    action: bytes

    async def fall(self, live: LiveMatch, look: Look, seat: int) -> Written | Refusal:
        """Stores that a seat's flag has fallen by itself. The caller holds the match's lock."""
        digest = request_digest(b"flag", bytes([seat]))
        writing = await self.of(live, FlagFell(seat, None), System(), time_request(live), digest)
        if not isinstance(writing, Writing):
            return writing
        return await self.recorder.write(live, writing, self.recorder.floor, look)

    async def of(
        self, live: LiveMatch, cause: FlagFell | AbsenceTimed, actor: Actor, request_id: str, digest: bytes
    ) -> Writing | Refusal:
        """The batch of a seat's lapse in a match that is being played."""
        place = place_of(live)
        if isinstance(place, NotStarted):
            return place
        turn = await rule_without_dice(self.law, place, Act(self.action, False, cause.seat, digest))
        return turn if isinstance(turn, Refusal) else turn.writing(live, actor, request_id, (cause,))


def flag_down(live: LiveMatch, look: Look) -> int | None:
    """The seat whose flag falls by itself now."""
    terms = live.terms().clock
    if look.clock is None or terms.claimed or live.match.status is not Status.PLAYING:
        return None
    return fallen(look.clock)


def time_request(live: LiveMatch) -> str:
    """The request of whatever time does at this head: one, whoever finds it due."""
    return f"time.{live.head.sequence}"
