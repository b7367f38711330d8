"""Watching a match over gRPC, and as whom somebody watches or reads."""

from typing import Any, TypeAlias, assert_never

from grpc.aio import ServicerContext

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import match_service_pb2_grpc
from gammon_match.app.ports import StoredEvent
from gammon_match.app.watched_match import Attendance, Update
from gammon_match.app.watching import Watching
from gammon_match.core.refusals import Refusal, TimedElsewhere
from gammon_match.core.sight import Viewer
from gammon_match.service import requests
from gammon_match.service.answers import stored
from gammon_match.service.handing_on import HandingOn
from gammon_match.service.refusal_table import rejection
from gammon_match.service.roles import OFFICIALS
from gammon_shell.call import current_principal
from gammon_shell.errors import Rejected

Context: TypeAlias = "ServicerContext[Any, Any]"


def current_viewer() -> Viewer:
    """Who makes the call being served, as somebody who looks at matches."""
    principal = current_principal()
    return Viewer(principal.subject, not OFFICIALS.isdisjoint(principal.roles))


class WatchingCalls(match_service_pb2_grpc.MatchServiceServicer):
    """The calls that watch one match."""

    _watching: Watching
    _handing_on: HandingOn

    async def WatchMatch(self, request: pb.WatchMatchRequest, context: Context) -> None:  # type: ignore[override]
        """Streams every event of a match once and in order, and who is there."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        refusal: Refusal | None = faults.refusal()

        async def send(update: Update) -> None:
            await context.write(_told(update))
            if isinstance(update, StoredEvent):
                request.after_sequence = update.sequence

        if refusal is None:
            refusal = await self._watching.watch(request.match_id, request.after_sequence, current_viewer(), send)
        if isinstance(refusal, TimedElsewhere) and await self._handing_on.watch(request, context):
            return
        if refusal is not None:
            raise Rejected(rejection(refusal))


def _told(update: Update) -> pb.WatchMatchResponse:
    match update:
        case StoredEvent():
            return pb.WatchMatchResponse(event=stored((update,))[0])
        case Attendance(seats, spectators):
            return pb.WatchMatchResponse(presence=pb.Presence(seats=sorted(seats), spectators=spectators or 0))
        case _:
            assert_never(update)
