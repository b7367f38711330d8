"""The rules service as a client sees it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grpc import aio

from gammon.rules.v1 import play_pb2, rules_service_pb2_grpc, settings_pb2
from gammon.rules.v1 import rules_service_pb2 as pb
from gammon_client.calls import USUAL, Caller, Metadata, Patience, Token


@dataclass(slots=True)
class RulesClient:
    """Calls the rules service with one identity, over a channel that the caller owns.

    Every method raises `LedgerError` by reason. `settings` name the game and its options; where there is a
    position, their play and cube are not looked at. Positions are text (rule 9).
    """

    channel: aio.Channel
    token: Token = field(repr=False)
    patience: Patience = USUAL
    _stub: rules_service_pb2_grpc.RulesServiceAsyncStub = field(init=False, repr=False)
    _caller: Caller = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._stub = rules_service_pb2_grpc.RulesServiceStub(self.channel)
        self._caller = Caller(self.token, self.patience)

    async def begin(self, settings: settings_pb2.Settings) -> pb.BeginResponse:
        """The state that a match with these settings starts from."""
        request = pb.BeginRequest(settings=settings)

        async def attempt(metadata: Metadata, seconds: float) -> pb.BeginResponse:
            return await self._stub.Begin(request, metadata=metadata, timeout=seconds)

        return await self._caller.call(attempt)

    async def legal_plays(
        self, settings: settings_pb2.Settings, position: str, seat: int, roll: Sequence[int]
    ) -> pb.LegalPlays:
        """The legal plays of a roll of two dice: distinct resulting positions, each with one way to play it."""
        request = pb.ListLegalPlaysRequest(question=_question(settings, position, seat, roll))

        async def attempt(metadata: Metadata, seconds: float) -> pb.ListLegalPlaysResponse:
            return await self._stub.ListLegalPlays(request, metadata=metadata, timeout=seconds)

        return (await self._caller.call(attempt)).plays

    async def next_steps(
        self,
        settings: settings_pb2.Settings,
        position: str,
        seat: int,
        roll: Sequence[int],
        chosen: Iterable[play_pb2.Step] = (),
    ) -> pb.ListNextStepsResponse:
        """The steps open next to somebody who has chosen some, and the position they have reached.

        Raises Malformed where what is chosen leads to no legal play.
        """
        request = pb.ListNextStepsRequest(question=_question(settings, position, seat, roll), chosen=chosen)

        async def attempt(metadata: Metadata, seconds: float) -> pb.ListNextStepsResponse:
            return await self._stub.ListNextSteps(request, metadata=metadata, timeout=seconds)

        return await self._caller.call(attempt)

    async def read_play(
        self, settings: settings_pb2.Settings, position: str, seat: int, roll: Sequence[int], text: str
    ) -> pb.LegalPlay | play_pb2.Violation:
        """The play that `text` describes (rule 9.6), or the rule it breaks."""
        request = pb.ReadPlayRequest(question=_question(settings, position, seat, roll), text=text)

        async def attempt(metadata: Metadata, seconds: float) -> pb.ReadPlayResponse:
            return await self._stub.ReadPlay(request, metadata=metadata, timeout=seconds)

        response = await self._caller.call(attempt)
        return response.play if response.HasField("play") else response.violation

    async def draw(
        self,
        settings: settings_pb2.Settings,
        position: str,
        seat: int = 0,
        form: pb.DrawingForm.ValueType = pb.DRAWING_FORM_TEXT,
    ) -> str:
        """A drawing of the position as `seat` sees it: text for a terminal, or an SVG document."""
        request = pb.DrawPositionRequest(settings=settings, position=position, seat=seat, form=form)

        async def attempt(metadata: Metadata, seconds: float) -> pb.DrawPositionResponse:
            return await self._stub.DrawPosition(request, metadata=metadata, timeout=seconds)

        return (await self._caller.call(attempt)).drawing


def _question(settings: settings_pb2.Settings, position: str, seat: int, roll: Sequence[int]) -> pb.PlayQuestion:
    return pb.PlayQuestion(settings=settings, position=position, seat=seat, roll=roll)
