"""What seats do beside acting: they look ahead, let the service act for them, and agree to go back."""

from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.app.identity import request_digest
from gammon_match.app.ports import Head
from gammon_match.app.preferences import SetPreferences, SetPreferencesHandler
from gammon_match.app.preview import Preview, Previewed, PreviewHandler
from gammon_match.app.take_back import Answer, Propose, TakeBack, TakeBackHandler
from gammon_match.app.writing import Written
from gammon_match.core.table_events import Preferences
from gammon_match.service import requests
from gammon_match.service.answers import stored
from gammon_match.service.handing_on import HandingOn, handed_on
from gammon_match.service.not_served_yet import NotServedYet
from gammon_match.service.previewing import ACCEPT, OFFERS, preview_of
from gammon_match.service.rejecting import check, reject
from gammon_shell.call import current_principal

Context: TypeAlias = "ServicerContext[Any, Any]"


class AtTheTable(NotServedYet):
    """The calls of seats that are no acts."""

    _handing_on: HandingOn
    _preview: PreviewHandler
    _preferences: SetPreferencesHandler
    _take_back: TakeBackHandler

    async def PreviewAct(self, request: pb.PreviewActRequest, _context: Context) -> pb.PreviewActResponse:
        """Tells what an act would do."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        requests.check_seat(faults, request)
        kind = request.action.WhichOneof("kind")
        requests.check_action(faults, kind)
        faults.need(kind != "roll", "action.kind", kind, "cannot be previewed: it would show the dice")
        check(faults)
        action = request.action
        action.ClearField("seat")
        result = await self._preview(
            Preview(
                match_id=request.match_id,
                player=current_principal().subject,
                seat=request.seat,
                action=action.SerializeToString(deterministic=True),
                accept=ACCEPT if kind in OFFERS else None,
            )
        )
        if not isinstance(result, Previewed):
            reject(result)
        return preview_of(result)

    @handed_on
    async def SetPreferences(self, request: pb.SetPreferencesRequest, _context: Context) -> pb.SetPreferencesResponse:
        """Sets what the service may do for a seat."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        requests.check_request_id(faults, request.request_id)
        requests.check_seat(faults, request)
        check(faults)
        wanted = request.preferences
        result = await self._preferences(
            SetPreferences(
                match_id=request.match_id,
                player=current_principal().subject,
                seat=request.seat,
                request_id=request.request_id,
                preferences=Preferences(wanted.roll_without_choice, wanted.play_forced),
                digest=request_digest(
                    b"preferences", bytes([request.seat, wanted.roll_without_choice, wanted.play_forced])
                ),
            )
        )
        if not isinstance(result, Written):
            reject(result)
        return pb.SetPreferencesResponse(events=stored(result.events))

    @handed_on
    async def TakeBack(self, request: pb.TakeBackRequest, _context: Context) -> pb.TakeBackResponse:
        """Proposes a take-back, or answers one."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        requests.check_request_id(faults, request.request_id)
        requests.check_seat(faults, request)
        faults.need(request.seen_sequence > 0, "seen_sequence", request.seen_sequence, "is required")
        word = request.WhichOneof("word")
        faults.need(word is not None, "word", "", "is required")
        if word == "propose_to_sequence":
            faults.need(request.propose_to_sequence > 0, "propose_to_sequence", 0, "is a sequence, from 1")
        check(faults)
        proposes = word == "propose_to_sequence"
        said = request.propose_to_sequence.to_bytes(8, "big") if proposes else bytes([request.accept])
        result = await self._take_back(
            TakeBack(
                match_id=request.match_id,
                player=current_principal().subject,
                seat=request.seat,
                request_id=request.request_id,
                seen=Head(request.seen_sequence, b""),
                word=Propose(request.propose_to_sequence) if proposes else Answer(request.accept),
                digest=request_digest(b"take back", bytes([request.seat]), said),
            )
        )
        if not isinstance(result, Written):
            reject(result)
        return pb.TakeBackResponse(events=stored(result.events))
