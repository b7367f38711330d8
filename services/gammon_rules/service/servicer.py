"""The gRPC face of the law."""

import asyncio
from typing import Any, NoReturn, TypeAlias

import grpc
from grpc.aio import ServicerContext

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1 import rules_service_pb2_grpc
from gammon_engine.settings import RULES_VERSION
from gammon_engine.violation import Fault, Violation
from gammon_rules.app import boards, catalogue
from gammon_rules.app.misunderstood import Misunderstood, malformed, within, wrong_settings
from gammon_rules.app.rulings import Rulings
from gammon_rules.service.refusal_table import rejection
from gammon_shell.errors import Rejected
from gammon_wire.plays import fault_to_proto, violation_to_proto

MOST_QUESTIONS = 1000
# What a gRPC client takes in one message unless it is told otherwise.
MOST_ANSWER_BYTES = 4 * 1024 * 1024
# Tag and length of an answer inside its response.
_ANSWER_HEAD_BYTES = 5
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
        """Gives the state a match starts from. Faults name fields of the settings themselves, `match.points`."""
        ruling = self._rulings.begin(request.settings)
        if isinstance(ruling, tuple):
            _reject(wrong_settings(request.settings, ruling, ""))
        return pb.BeginResponse(rules_version=RULES_VERSION, ruling=ruling)

    async def SetUp(self, request: pb.SetUpRequest, context: Context) -> pb.SetUpResponse:
        """Sets up a game in progress."""
        ruling = self._rulings.set_up(request)
        if isinstance(ruling, Misunderstood):
            _reject(ruling)
        return pb.SetUpResponse(ruling=ruling)

    async def Rule(self, request: pb.RuleRequest, context: Context) -> pb.RuleResponse:
        """Rules on one action."""
        answer = self._rulings.rule(request.question)
        match answer:
            case Misunderstood():
                _reject(within(answer, "question."))
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
                wrong = pb.Misunderstanding(reason=f"ERROR_REASON_{reason.value}", faults=map(fault_to_proto, faults))
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
        """Lists the legal plays of many rolls, as many as fit into one message."""
        asked = len(request.questions)
        if asked > MOST_QUESTIONS:
            _reject(_too_many(asked, f"at most {MOST_QUESTIONS}"))
        response, size = pb.BatchListLegalPlaysResponse(), 0
        for answered, question in enumerate(request.questions):
            board = boards.board(question)
            answer = response.answers.add()
            if isinstance(board, Misunderstood):
                answer.violation.CopyFrom(fault_to_proto(within(board, "question.").faults[0]))
            else:
                answer.plays.CopyFrom(boards.legal_plays(board, counts_only=request.counts_only))
            size += answer.ByteSize() + _ANSWER_HEAD_BYTES
            if size > MOST_ANSWER_BYTES:
                limit = (
                    f"{MOST_ANSWER_BYTES} bytes hold the plays of the first {answered}: ask for those, or counts_only"
                )
                _reject(_too_many(asked, limit))
            # A thousand rolls take seconds, and a match waits for its ruling.
            await asyncio.sleep(0)
        return response

    async def ListNextSteps(self, request: pb.ListNextStepsRequest, context: Context) -> pb.ListNextStepsResponse:
        """Lists the steps that are open next."""
        found = boards.next_steps(_board(request.question), request.chosen)
        if isinstance(found, Misunderstood):
            _reject(found)
        return found

    async def ReadPlay(self, request: pb.ReadPlayRequest, context: Context) -> pb.ReadPlayResponse:
        """Reads the text of a play."""
        play = boards.read_play(_board(request.question), request.text)
        if isinstance(play, Violation):
            return pb.ReadPlayResponse(violation=violation_to_proto(play))
        return pb.ReadPlayResponse(play=play)

    async def DrawPosition(self, request: pb.DrawPositionRequest, context: Context) -> pb.DrawPositionResponse:
        """Draws a position."""
        drawing = boards.draw(request)
        if isinstance(drawing, Misunderstood):
            _reject(drawing)
        return pb.DrawPositionResponse(drawing=drawing)


def _board(question: pb.PlayQuestion) -> boards.Board:
    board = boards.board(question)
    if isinstance(board, Misunderstood):
        _reject(within(board, "question."))
    return board


def _too_many(asked: int, limit: str) -> Misunderstood:
    return malformed([Fault("questions", f"{asked} questions", "contract", limit)])


def _reject(wrong: Misunderstood) -> NoReturn:
    raise Rejected(rejection(wrong))
