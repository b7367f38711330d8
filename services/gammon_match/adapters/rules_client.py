"""The rules service over gRPC: rulings over a pool of streams, 2.5 times cheaper than calls; a call as fallback."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import grpc
from google.protobuf.message import DecodeError

from gammon.rules.v1 import (
    action_pb2,
    play_pb2,
    rules_service_pb2,
    rules_service_pb2_grpc,
    settings_pb2,
)
from gammon_match.adapters.codec import standing_of
from gammon_match.app.law import Away, Begun, Broken, Faulty, GameOffered, OnlyChoice, Question, Ruled, RulesPreset
from gammon_match.core.refusals import FieldFault
from gammon_match.core.table_events import SystemReason
from gammon_shell.errors import read_error

Metadata = Sequence[tuple[str, str]]
RuleStream: TypeAlias = (
    "grpc.aio.StreamStreamCall[rules_service_pb2.RuleStreamRequest, rules_service_pb2.RuleStreamResponse]"
)

POOL_SIZE = 8
RULINGS_PER_STREAM = 20_000
TIMEOUT_S = 5.0
UNSUPPORTED = "UNSUPPORTED"
REASONS = {
    rules_service_pb2.ONLY_CHOICE_REASON_NO_DOUBLE: SystemReason.NO_DOUBLE,
    rules_service_pb2.ONLY_CHOICE_REASON_FORCED: SystemReason.FORCED,
}


class RulesClient:
    """The law, asked over a channel that the caller owns. One ruling is in flight on each stream."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        metadata: Callable[[], Metadata],
        pool_size: int = POOL_SIZE,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """`metadata`: gives the credentials of each call or stream. `timeout_s`: for one ruling."""
        self._stub = rules_service_pb2_grpc.RulesServiceStub(channel)
        self._metadata = metadata
        self._timeout_s = timeout_s
        self._places = asyncio.Semaphore(pool_size)
        self._idle: list[tuple[RuleStream, int]] = []
        self._rules: dict[bytes, settings_pb2.Settings] = {}

    async def begin(self, rules: bytes) -> Begun | Faulty | Away:
        """Checks the law's settings and gives the state a match starts from."""
        try:
            settings = settings_pb2.Settings.FromString(rules)
        except DecodeError as error:
            return Faulty((FieldFault("settings.rules", rules.hex(), "contract", str(error)),))
        try:
            response = await self._stub.Begin(
                rules_service_pb2.BeginRequest(settings=settings),
                metadata=tuple(self._metadata()),
                timeout=self._timeout_s,
            )
        except grpc.aio.AioRpcError as error:
            return _refused(error)
        ruling = response.ruling
        return Begun(response.rules_version, ruling.state, standing_of(ruling.summary))

    async def games(self) -> tuple[GameOffered, ...] | Away:
        """What can be played."""
        try:
            listed = await self._stub.ListGames(
                rules_service_pb2.ListGamesRequest(), metadata=tuple(self._metadata()), timeout=self._timeout_s
            )
        except grpc.aio.AioRpcError as error:
            return _away(error)
        return offered(listed.games)

    async def rule(self, question: Question) -> Ruled | Broken | Faulty | Away:
        """Rules on one action, over a stream; if that breaks, by a call."""
        answer = await self._answer(self._question(question))
        match answer:
            case rules_service_pb2.Ruling():
                return _ruled(answer)
            case play_pb2.Violation():
                return _broken(answer)
            case _:
                return answer

    async def only_choice(self, rules_version: str, settings: bytes, state: bytes) -> OnlyChoice | Faulty | Away | None:
        """What the seat on turn does in a state, asked for in the same way."""
        asked = rules_service_pb2.Question(
            rules_version=rules_version, settings=self._settings(settings), state=state, name_only_choice=True
        )
        answer = await self._answer(asked)
        match answer:
            case rules_service_pb2.Ruling():
                return choice_of(answer)
            case play_pb2.Violation():
                return Away("the rules service refuses what nobody has asked for")
            case _:
                return answer

    async def _answer(
        self, asked: rules_service_pb2.Question
    ) -> rules_service_pb2.Ruling | play_pb2.Violation | Faulty | Away:
        async with self._places:
            stream, used = self._idle.pop() if self._idle else (self._dial(), 0)
            try:
                async with asyncio.timeout(self._timeout_s):
                    await stream.write(rules_service_pb2.RuleStreamRequest(question=asked))
                    response = await stream.read()
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                stream.cancel()
                return await self._call(asked)
            except BaseException:
                # An answer to a question that nobody waits for any more must not be read by the next.
                stream.cancel()
                raise
            if not isinstance(response, rules_service_pb2.RuleStreamResponse):
                stream.cancel()
                return await self._call(asked)
            if used < RULINGS_PER_STREAM:
                self._idle.append((stream, used + 1))
            else:
                stream.cancel()
        match response.WhichOneof("answer"):
            case "ruling":
                return response.ruling
            case "violation":
                return response.violation
            case "misunderstanding":
                wrong = response.misunderstanding
                return Faulty(tuple(_fault(v) for v in wrong.faults), not wrong.reason.endswith(UNSUPPORTED))
            case None:
                return Away("the rules service gave an empty answer")

    async def close(self) -> None:
        """Ends the streams."""
        while self._idle:
            self._idle.pop()[0].cancel()

    def _dial(self) -> RuleStream:
        stream: RuleStream = self._stub.RuleStream(metadata=tuple(self._metadata()))
        return stream

    def _question(self, question: Question) -> rules_service_pb2.Question:
        action = action_pb2.Action.FromString(question.action)
        if question.seat is None:
            action.ClearField("seat")
        else:
            action.seat = question.seat
        if question.dice is not None:
            action.roll.dice[:] = question.dice
        return rules_service_pb2.Question(
            rules_version=question.rules_version,
            settings=self._settings(question.settings),
            state=question.state,
            action=action,
        )

    def _settings(self, stored: bytes) -> settings_pb2.Settings:
        settings = self._rules.get(stored)
        if settings is None:
            if len(self._rules) > 1024:
                self._rules.clear()
            settings = settings_pb2.Settings.FromString(stored)
            self._rules[stored] = settings
        return settings

    async def _call(
        self, asked: rules_service_pb2.Question
    ) -> rules_service_pb2.Ruling | play_pb2.Violation | Faulty | Away:
        try:
            response = await self._stub.Rule(
                rules_service_pb2.RuleRequest(question=asked),
                metadata=tuple(self._metadata()),
                timeout=self._timeout_s,
            )
        except grpc.aio.AioRpcError as error:
            return _refused(error)
        match response.WhichOneof("answer"):
            case "ruling":
                return response.ruling
            case "violation":
                return response.violation
            case None:
                return Away("the rules service gave an empty answer")


def offered(games: Iterable[rules_service_pb2.GameDescription]) -> tuple[GameOffered, ...]:
    """What is read of the games that the rules service lists."""
    return tuple(GameOffered(game.game, game.name, tuple(map(_preset, game.presets))) for game in games)


def _preset(preset: rules_service_pb2.RulesPreset) -> RulesPreset:
    rules = preset.settings
    length = rules.match.points or rules.session.games
    settings = rules.SerializeToString(deterministic=True)
    return RulesPreset(preset.name, preset.description, settings, rules.seats, length)


def choice_of(ruling: rules_service_pb2.Ruling) -> OnlyChoice | None:
    """The only choice that a ruling names, if it names one for a reason that is known here."""
    reason = REASONS.get(ruling.only_choice.reason)
    if reason is None:
        return None
    action = action_pb2.Action()
    action.CopyFrom(ruling.only_choice.action)
    action.ClearField("seat")
    encoded = action.SerializeToString(deterministic=True)
    return OnlyChoice(ruling.only_choice.action.seat, encoded, action.HasField("roll"), reason)


def _ruled(ruling: rules_service_pb2.Ruling) -> Ruled:
    game_ended = play_ended = None
    facts: list[bytes] = []
    for fact in ruling.facts:
        encoded = fact.SerializeToString(deterministic=True)
        facts.append(encoded)
        match fact.WhichOneof("kind"):
            case "game_ended":
                game_ended = encoded
            case "play_ended":
                play_ended = encoded
    return Ruled(ruling.state, standing_of(ruling.summary), tuple(facts), game_ended, play_ended)


def _broken(violation: play_pb2.Violation) -> Broken:
    return Broken(violation.rule, violation.reason, violation.field, violation.value)


def _fault(violation: play_pb2.Violation) -> FieldFault:
    return FieldFault(violation.field, violation.value, violation.rule, violation.reason)


def _refused(error: grpc.aio.AioRpcError) -> Faulty | Away:
    if error.code() not in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION):
        return _away(error)
    rejection = read_error(error)
    faults = tuple(FieldFault(f"settings.rules.{fault.field}", "", "", fault.description) for fault in rejection.fields)
    return Faulty(faults, rejection.reason != UNSUPPORTED)


def _away(error: grpc.aio.AioRpcError) -> Away:
    return Away(f"{error.code().name}: {error.details() or ''}".strip(": "))
