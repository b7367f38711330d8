"""The calls that are about time: pauses of the seats, and claims of a lapse."""

from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import action_pb2
from gammon_match.app.claim import ClaimForSeat, ClaimHandler
from gammon_match.app.identity import request_digest
from gammon_match.app.pausing import PauseForSeat, PauseHandler
from gammon_match.app.ports import Head
from gammon_match.app.writing import Written
from gammon_match.service import requests
from gammon_match.service.answers import stored
from gammon_match.service.handing_on import HandingOn, handed_on
from gammon_match.service.not_served_yet import NotServedYet
from gammon_match.service.rejecting import check, reject
from gammon_shell.call import current_principal

Context: TypeAlias = "ServicerContext[Any, Any]"

# The law's part of a lapse; whose it is, is said beside it.
LAPSE = action_pb2.Action(lapse=action_pb2.Lapse()).SerializeToString(deterministic=True)


class TimeCalls(NotServedYet):
    """PauseMatch and ClaimLapse."""

    _handing_on: HandingOn
    _pause: PauseHandler
    _claim: ClaimHandler

    @handed_on
    async def PauseMatch(self, request: pb.PauseMatchRequest, _context: Context) -> pb.PauseMatchResponse:
        """Pauses or resumes a match for a seat."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        requests.check_request_id(faults, request.request_id)
        requests.check_seat(faults, request)
        check(faults)
        result = await self._pause(
            PauseForSeat(
                match_id=request.match_id,
                player=current_principal().subject,
                seat=request.seat,
                request_id=request.request_id,
                resume=request.resume,
                digest=request_digest(b"pause", bytes([request.seat, request.resume])),
            )
        )
        if not isinstance(result, Written):
            reject(result)
        return pb.PauseMatchResponse(events=stored(result.events))

    @handed_on
    async def ClaimLapse(self, request: pb.ClaimLapseRequest, _context: Context) -> pb.ClaimLapseResponse:
        """Claims a fallen flag or an abandoned match."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        requests.check_request_id(faults, request.request_id)
        requests.check_seat(faults, request)
        faults.need(request.seen_sequence > 0, "seen_sequence", request.seen_sequence, "is required")
        check(faults)
        result = await self._claim(
            ClaimForSeat(
                match_id=request.match_id,
                player=current_principal().subject,
                seat=request.seat,
                request_id=request.request_id,
                seen=Head(request.seen_sequence, b""),
                digest=request_digest(b"claim", bytes([request.seat])),
            )
        )
        if not isinstance(result, Written):
            reject(result)
        return pb.ClaimLapseResponse(events=stored(result.events))
