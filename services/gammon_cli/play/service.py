"""What a person says that the match service is asked to store."""

from __future__ import annotations

from gammon.match.v1 import match_service_pb2 as pb
from gammon_cli.play.commands import Back, Send, TimeWord
from gammon_cli.play.seating import Seated
from gammon_client.match_client import Receipt
from gammon_client.table_calls import AnswerBack, ProposeBack

ForService = Send | Back | TimeWord
Stored = pb.ActResponse | pb.TakeBackResponse | pb.ClaimLapseResponse | pb.PauseMatchResponse


async def ask_service(at: Seated, said: ForService, seen: Receipt, *, last_own: int | None) -> Stored:
    """Asks for it, on what the person has seen. `last_own`: the batch end before the last act of theirs that stands.

    Raises:
        LedgerError: a refusal.
    """
    me, match_id, seat = at.me, at.match_id, at.seat
    match said:
        case Send(action):
            return await me.act(match_id, seat, action, seen=seen)
        case Back(None):
            assert last_own is not None, "asked where there is such an act"
            return await me.take_back(match_id, seat, ProposeBack(last_own), seen=seen)
        case Back(bool(accept)):
            return await me.take_back(match_id, seat, AnswerBack(accept), seen=seen)
        case TimeWord.CLAIM:
            return await me.claim_lapse(match_id, seat, seen=seen)
        case word:
            return await me.pause_match(match_id, seat, resume=word is TimeWord.RESUME)
