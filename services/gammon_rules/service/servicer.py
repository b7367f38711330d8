"""The gRPC face of the law."""

from collections.abc import Iterable
from typing import Any, NoReturn, TypeAlias

import grpc
from grpc import StatusCode
from grpc.aio import ServicerContext

from gammon.rules.v1 import play_pb2, rules_service_pb2_grpc
from gammon.rules.v1 import rules_service_pb2 as pb
from gammon_engine.settings import RULES_VERSION
from gammon_engine.violation import Fault, Violation
from gammon_rules.app import boards, catalogue
from gammon_rules.app.rulings import Misunderstood, Rulings
from gammon_shell.errors import FieldFault, Rejected, Rejection
from gammon_wire.plays import violation_to_proto
from gammon_wire.settings import is_unsupported

DOMAIN = "rules.gammon"
MOST_QUESTIONS = 1000
Context: TypeAlias = "ServicerContext[Any, Any]"


class RulesService(rules_service_pb2_grpc.RulesServiceServicer):
    """RulesService of the contract."""

    def __init__(self, rulings: Rulings) -> None:
        """Builds the service on its rulings."""
        self._rulings = rulings

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        """Lists what is played here."""
        return pb.ListGamesResponse(rules_version=RULES_VERSION, games=catalogue.games())

    async def Begin(self, request: pb.BeginRequest, context: Context) -> pb.BeginResponse:
        """Gives the state a match starts from."""
        ruling = self._rulings.begin(request.settings)
        if isinstance(ruling, tuple):
            _reject(ruling, unsupported=is_unsupported(request.settings))
        return pb.BeginResponse(rules_version=RULES_VERSION, ruling=ruling)

    async def SetUp(self, request: pb.SetUpRequest, context: Context) -> pb.SetUpResponse:
        """Sets up a game in progress."""
        ruling = self._rulings.set_up(request)
        match ruling:
            case tuple():
                _reject(ruling, unsupported=is_unsupported(request.settings))
            case Violation(rule, reason, field, value):
                _reject((Fault(field or "position", value, rule, reason),))
        return pb.SetUpResponse(ruling=ruling)

    async def Rule(self, request: pb.RuleRequest, context: Context) -> pb.RuleResponse:
        """Rules on one action."""
        answer = self._rulings.rule(request.question)
        match answer:
            case Misunderstood(reason, faults):
                _reject_as(reason, faults)
            case Violation():
                return pb.RuleResponse(violation=violation_to_proto(answer))
        return pb.RuleResponse(ruling=answer)

    async def RuleStream(self, request_iterator: object, context: Context) -> None:  # type: ignore[override]
        """Rules on one action after the other."""
        while True:
            request = await context.read()
            if not isinstance(request, pb.RuleStreamRequest):
                assert request is grpc.aio.EOF
                return
            await context.write(self._stream_answer(request.question))

    def _stream_answer(self, question: pb.Question) -> pb.RuleStreamResponse:
        answer = self._rulings.rule(question)
        match answer:
            case Misunderstood(reason, faults):
                wrong = pb.Misunderstanding(reason=f"ERROR_REASON_{reason}", faults=map(_fault_to_proto, faults))
                return pb.RuleStreamResponse(misunderstanding=wrong)
            case Violation():
                return pb.RuleStreamResponse(violation=violation_to_proto(answer))
        return pb.RuleStreamResponse(ruling=answer)

    async def ListLegalPlays(self, request: pb.ListLegalPlaysRequest, context: Context) -> pb.ListLegalPlaysResponse:
        """Lists the legal plays of a roll."""
        return pb.ListLegalPlaysResponse(plays=boards.legal_plays(_board(request.question)))

    async def BatchListLegalPlays(
        self, request: pb.BatchListLegalPlaysRequest, context: Context
    ) -> pb.BatchListLegalPlaysResponse:
        """Lists the legal plays of many rolls."""
        asked = len(request.questions)
        if asked > MOST_QUESTIONS:
            _reject((Fault("questions", str(asked), "contract", f"at most {MOST_QUESTIONS}"),))
        response = pb.BatchListLegalPlaysResponse()
        for question in request.questions:
            board = boards.board(question)
            answer = response.answers.add()
            if isinstance(board, tuple):
                answer.violation.CopyFrom(_fault_to_proto(board[0]))
            else:
                answer.plays.CopyFrom(boards.legal_plays(board, counts_only=request.counts_only))
        return response

    async def ListNextSteps(self, request: pb.ListNextStepsRequest, context: Context) -> pb.ListNextStepsResponse:
        """Not served yet."""
        _later("ListNextSteps")

    async def ReadPlay(self, request: pb.ReadPlayRequest, context: Context) -> pb.ReadPlayResponse:
        """Reads the text of a play."""
        play = boards.read_play(_board(request.question), request.text)
        if isinstance(play, Violation):
            return pb.ReadPlayResponse(violation=violation_to_proto(play))
        return pb.ReadPlayResponse(play=play)

    async def DrawPosition(self, request: pb.DrawPositionRequest, context: Context) -> pb.DrawPositionResponse:
        """Draws a position as text."""
        if request.form == pb.DRAWING_FORM_SVG:
            _later("DrawPosition as SVG")
        drawing = boards.draw(request.settings, request.position, request.seat)
        if isinstance(drawing, tuple):
            _reject(drawing, unsupported=is_unsupported(request.settings))
        return pb.DrawPositionResponse(drawing=drawing)


def _board(question: pb.PlayQuestion) -> boards.Board:
    board = boards.board(question)
    if isinstance(board, tuple):
        _reject(board, unsupported=is_unsupported(question.settings))
    return board


def _fault_to_proto(fault: Fault) -> play_pb2.Violation:
    return violation_to_proto(Violation(fault.rule, fault.reason, fault.field, fault.value))


def _reject(faults: Iterable[Fault], *, unsupported: bool = False) -> NoReturn:
    _reject_as("UNSUPPORTED" if unsupported else "MALFORMED", tuple(faults))


_CODES = {
    "MALFORMED": StatusCode.INVALID_ARGUMENT,
    "UNSUPPORTED": StatusCode.FAILED_PRECONDITION,
    "UNKNOWN_RULES_VERSION": StatusCode.FAILED_PRECONDITION,
    "UNIMPLEMENTED": StatusCode.UNIMPLEMENTED,
}


def _reject_as(reason: str, faults: tuple[Fault, ...]) -> NoReturn:
    fields = tuple(FieldFault(f.field, f"rule {f.rule}: {f.reason} (it is {f.value or 'missing'})") for f in faults)
    metadata = {}
    if reason == "UNKNOWN_RULES_VERSION":
        metadata = {"asked": faults[0].value, "served": RULES_VERSION}
    message = "; ".join(f"{f.field}: {f.reason}" for f in faults)
    raise Rejected(Rejection(_CODES[reason], reason, message, metadata, fields))


def _later(what: str) -> NoReturn:
    raise Rejected(Rejection(_CODES["UNIMPLEMENTED"], "UNIMPLEMENTED", f"{what} is not served yet", {"method": what}))
