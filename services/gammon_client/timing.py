"""Time at the table as a client sees it: pauses, and claims of a lapse."""

from __future__ import annotations

from gammon.match.v1 import match_service_pb2 as pb
from gammon_client.calls import Metadata
from gammon_client.match_calls import MatchCalls, Receipt, new_request_id


class TimingCalls(MatchCalls):
    """The calls about time."""

    __slots__ = ()

    async def pause_match(
        self, match_id: str, seat: int, *, resume: bool = False, request_id: str = ""
    ) -> pb.PauseMatchResponse:
        """Pauses for a seat, asks all seats for a pause, or (`resume`) ends or withdraws that; once."""
        request = pb.PauseMatchRequest(
            match_id=match_id, seat=seat, request_id=request_id or new_request_id(), resume=resume
        )

        async def attempt(metadata: Metadata, seconds: float) -> pb.PauseMatchResponse:
            return await self._stub.PauseMatch(request, metadata=metadata, timeout=seconds)

        response = await self._caller.call(attempt)
        self._keep_last(match_id, response.events)
        return response

    async def claim_lapse(
        self, match_id: str, seat: int, *, request_id: str = "", seen: Receipt | None = None
    ) -> pb.ClaimLapseResponse:
        """Claims for a seat that another's time is up, or that it has been away too long; once.

        Raises:
            NoLapse: there is nothing to claim yet; its metadata say why.
        """
        known = seen or await self._known(match_id)
        request = pb.ClaimLapseRequest(
            match_id=match_id, seat=seat, request_id=request_id or new_request_id(), seen_sequence=known.sequence
        )

        async def attempt(metadata: Metadata, seconds: float) -> pb.ClaimLapseResponse:
            return await self._stub.ClaimLapse(request, metadata=metadata, timeout=seconds)

        response = await self._caller.call(attempt)
        self._keep_last(match_id, response.events)
        return response
