"""What a seat asks of the match service beside acting: to look ahead, to be acted for, to go back."""

from __future__ import annotations

from dataclasses import dataclass

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import action_pb2
from gammon_client.calls import Metadata
from gammon_client.match_calls import MatchCalls, Receipt, new_request_id


@dataclass(frozen=True, slots=True)
class ProposeBack:
    """Proposes to go back to the batch end at a sequence."""

    to_sequence: int


@dataclass(frozen=True, slots=True)
class AnswerBack:
    """Consents to the open proposal, or ends it; one's own is withdrawn like that."""

    accept: bool


class TableCalls(MatchCalls):
    """The calls of a seat that are no acts."""

    __slots__ = ()

    async def preview_act(self, match_id: str, seat: int, action: action_pb2.Action) -> pb.PreviewActResponse:
        """What an act would do now and cost, or the rule it breaks; stores nothing. A roll has no preview."""
        request = pb.PreviewActRequest(match_id=match_id, seat=seat, action=action)

        async def attempt(metadata: Metadata, seconds: float) -> pb.PreviewActResponse:
            return await self._stub.PreviewAct(request, metadata=metadata, timeout=seconds)

        return await self._caller.call(attempt)

    async def set_preferences(
        self, match_id: str, seat: int, preferences: settings_pb2.SeatPreferences, *, request_id: str = ""
    ) -> pb.SetPreferencesResponse:
        """Says what the service may do for the seat from now on."""
        request = pb.SetPreferencesRequest(
            match_id=match_id, seat=seat, request_id=request_id or new_request_id(), preferences=preferences
        )

        async def attempt(metadata: Metadata, seconds: float) -> pb.SetPreferencesResponse:
            return await self._stub.SetPreferences(request, metadata=metadata, timeout=seconds)

        response = await self._caller.call(attempt)
        self._keep_last(match_id, response.events)
        return response

    async def take_back(
        self,
        match_id: str,
        seat: int,
        word: ProposeBack | AnswerBack,
        *,
        seen: Receipt,
        request_id: str = "",
    ) -> pb.TakeBackResponse:
        """Proposes a take-back, or answers the one that is open, on what was seen; the last consent goes back.

        After `Conflict` play has gone on, or something else was proposed: read the match, and decide anew.
        """
        request = pb.TakeBackRequest(
            match_id=match_id,
            seat=seat,
            request_id=request_id or new_request_id(),
            seen_sequence=seen.sequence,
        )
        match word:
            case ProposeBack(to_sequence):
                request.propose_to_sequence = to_sequence
            case AnswerBack(accept):
                request.accept = accept

        async def attempt(metadata: Metadata, seconds: float) -> pb.TakeBackResponse:
            return await self._stub.TakeBack(request, metadata=metadata, timeout=seconds)

        response = await self._caller.call(attempt)
        self._keep_last(match_id, response.events)
        return response
