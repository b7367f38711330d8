"""One interceptor around every call: who calls, may they, one log line, and every refusal as a status."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

import grpc
import structlog
from google.protobuf.descriptor import Descriptor
from grpc import StatusCode
from grpc_status import rpc_status

from gammon_shell.call import CALL_ID_KEY, CURRENT, Call
from gammon_shell.errors import Rejected, Rejection, to_status
from gammon_shell.identity import IdentityFault, Principal
from gammon_shell.policy import Policy
from gammon_shell.roles import ANYONE, OPEN_SERVICES

# What handlers and contexts are to grpc: its stubs for the asynchronous server do not say.
Context = Any
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Serve = Callable[[Any, Context], Awaitable[Any]]

CALL_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
MOST_CHARACTERS_LOGGED = 100
STATUS_WITHIN_S = 2.0
NO_FIELDS: Mapping[str, str] = {}
STATUS_NAMES = {code.value[0]: code.name for code in StatusCode}

# Refusals that an operator should see; all others are between the caller and the law.
WARNINGS = frozenset({"UNAVAILABLE", "DATA_LOSS", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED"})


@dataclass(frozen=True, slots=True)
class Shape:
    """What kind of call a method is.

    `one_request`: its handler gets the request and not an iterator. `is_stream`: it counts among the streams of its
    caller. `longest_s`: the latest deadline, in seconds; None: it may last.
    """

    one_request: bool = True
    is_stream: bool = True
    longest_s: float | None = None


class CallInterceptor(grpc.aio.ServerInterceptor):
    """Wraps every handler of a server once, when its method is first called."""

    def __init__(self, policy: Policy) -> None:
        """Builds the interceptor on a policy."""
        self._policy = policy
        self._wrapped: dict[str, Handler] = {}
        self._ids = CallIds()
        # Bound once: a logger that is looked up anew costs a fifth of a log line.
        self._log = structlog.get_logger("call").bind()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """The wrapped handler of a method; for a method that does not exist one that says so."""
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is not None:
            return wrapped
        handler = await continuation(handler_call_details)
        if handler is None:
            # Not kept, nor told whole: its name is the caller's, and there is no end to names.
            told = method[:MOST_CHARACTERS_LOGGED]
            refusing = self._method(told, _not_served, Shape(one_request=False))
            return grpc.unary_unary_rpc_method_handler(refusing.serve)
        if method.split("/")[1] not in OPEN_SERVICES:
            handler = self._wrap(method, handler)
        self._wrapped[method] = handler
        return handler

    def _method(self, method: str, inner: Serve, shape: Shape) -> _Method:
        return _Method(self._policy, self._ids, self._log, method, inner, shape)

    def _wrap(self, method: str, handler: Handler) -> Handler:
        def around(inner: Any, shape: Shape) -> Any:
            return self._method(method, inner, shape).serve

        serializers = (handler.request_deserializer, handler.response_serializer)
        if handler.unary_unary is not None:
            serve = around(handler.unary_unary, Shape(is_stream=False, longest_s=self._policy.longest_s))
            return grpc.unary_unary_rpc_method_handler(serve, *serializers)
        if handler.unary_stream is not None:
            serve = around(_written(handler.unary_stream), Shape())
            return grpc.unary_stream_rpc_method_handler(serve, *serializers)
        if handler.stream_unary is not None:
            serve = around(handler.stream_unary, Shape(one_request=False, longest_s=self._policy.longest_upload_s))
            return grpc.stream_unary_rpc_method_handler(serve, *serializers)
        serve = around(_written(handler.stream_stream), Shape(one_request=False))
        return grpc.stream_stream_rpc_method_handler(serve, *serializers)


class CallIds:
    """Ids for calls that bring none: a part drawn for the process, then counted."""

    def __init__(self) -> None:
        """Draws the process's part."""
        self._process = os.urandom(6).hex()
        self._count = itertools.count(1)

    def of(self, given: str | None) -> str:
        """The caller's id if it is well formed, else a new one."""
        if given is not None and CALL_ID.fullmatch(given):
            return given
        return f"{self._process}-{next(self._count)}"


class _Method:
    """What stands around the calls of one method."""

    def __init__(
        self,
        policy: Policy,
        ids: CallIds,
        log: structlog.typing.FilteringBoundLogger,
        method: str,
        inner: Serve,
        shape: Shape,
    ) -> None:
        self._policy, self._ids, self._log, self._method, self._inner = policy, ids, log, method, inner
        self._shape = shape
        self._allowed = ANYONE if inner is _not_served else policy.roles.get(method, frozenset())
        self._logged: dict[type, tuple[tuple[str, bool], ...]] = {}

    async def serve(self, asked: Any, context: Context) -> Any:
        """Admits the call or refuses it, serves it, and writes its log line."""
        started = time.perf_counter()
        code, reason, fault = "OK", "", None
        call = Call(self._ids.of(None), self._method, None, NO_FIELDS)
        try:
            authorization, given = credentials(context)
            fields = self._fields(asked) if self._shape.one_request else NO_FIELDS
            call = Call(self._ids.of(given) if given else call.call_id, self._method, None, fields)
            principal = await self._admit(authorization)
            if principal is not None:
                call = Call(call.call_id, self._method, principal, fields)
            CURRENT.set(call)
            answer = await self._within_limits(principal, asked, context)
            if set_code := context.code():
                code = _name(set_code)
            return answer
        except Rejected as refused:
            rejection = refused.rejection
            code, reason = rejection.code.name, rejection.reason
        except asyncio.CancelledError:
            code = "CANCELLED"
            raise
        except grpc.aio.AbortError:
            code = _name(context.code())
            raise
        except grpc.aio.InternalError:
            # What the library raises where it writes to a caller who has gone, before it cancels the call.
            code = "CANCELLED"
            raise asyncio.CancelledError from None
        except Exception as error:
            code, reason, fault = "INTERNAL", "INTERNAL", error
            rejection = Rejection(StatusCode.INTERNAL, "INTERNAL", "a fault of the service", {"call_id": call.call_id})
        finally:
            self._write_line(call, code, reason, (time.perf_counter() - started) * 1000, fault)
        return await self._abort(context, rejection)

    async def _admit(self, authorization: str | None) -> Principal | None:
        """The caller; None: the method is open to anyone. Raises Rejected."""
        if self._allowed is ANYONE:
            return None
        principals = self._policy.principals
        principal = principals.principal(authorization)
        if isinstance(principal, IdentityFault) and principal.is_key_unknown and await principals.renew():
            principal = principals.principal(authorization)
        if isinstance(principal, IdentityFault):
            told = {"fault": principal.fault}
            raise Rejected(Rejection(StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED", principal.fault, told))
        if principal.roles.isdisjoint(self._allowed):
            roles = ", ".join(sorted(principal.roles)) or "none"
            message = f"{self._method} is not for the roles of this caller: {roles}"
            told = {"role": roles, "method": self._method}
            raise Rejected(Rejection(StatusCode.PERMISSION_DENIED, "ROLE_REQUIRED", message, told))
        return principal

    async def _within_limits(self, principal: Principal | None, asked: Any, context: Context) -> Any:
        if principal is None:
            return await self._within_deadline(asked, context)
        limits = self._policy.limits
        limits.take_call(principal)
        if not self._shape.is_stream:
            return await self._within_deadline(asked, context)
        with limits.stream(principal):
            return await self._within_deadline(asked, context)

    async def _within_deadline(self, asked: Any, context: Context) -> Any:
        longest_s, remaining_s = self._shape.longest_s, context.time_remaining()
        if longest_s is None:
            return await self._inner(asked, context)
        if remaining_s is not None and remaining_s <= longest_s:
            return await self._inner(asked, context)
        try:
            async with asyncio.timeout(longest_s) as limit:
                return await self._inner(asked, context)
        except TimeoutError:
            if not limit.expired():
                raise
            message = f"the call took longer than {longest_s:g} s"
            told = {"longest_s": f"{longest_s:g}"}
            rejection = Rejection(StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", message, told)
            raise Rejected(rejection) from None

    def _fields(self, request: Any) -> Mapping[str, str]:
        kind = type(request)
        known = self._logged.get(kind)
        if known is None:
            known = self._logged[kind] = _loggable(kind, self._policy.logged)
        fields = {}
        for name, optional in known:
            value = getattr(request, name)
            if request.HasField(name) if optional else value:
                fields[name] = str(value)[:MOST_CHARACTERS_LOGGED]
        return fields

    def _write_line(self, call: Call, code: str, reason: str, ms: float, fault: Exception | None) -> None:
        told: dict[str, Any] = dict(call.fields)
        if reason:
            told["reason"] = reason
        if call.principal is not None:
            told["subject"] = call.principal.subject
        write = self._log.error if fault is not None else self._log.warning if code in WARNINGS else self._log.info
        if fault is not None:
            told["exc_info"] = fault
        write("call", method=call.method, code=code, ms=round(ms, 2), call_id=call.call_id, **told)

    async def _abort(self, context: Context, rejection: Rejection) -> NoReturn:
        status = rpc_status.to_status(to_status(rejection, self._policy.domain))
        try:
            async with asyncio.timeout(STATUS_WITHIN_S):
                await context.abort_with_status(status)
        except (TimeoutError, grpc.aio.InternalError):
            # The caller does not read what was written before, or has gone. The library keeps the status for it and
            # offers no way to reset the stream; nothing of ours need wait for that.
            raise asyncio.CancelledError from None
        raise AssertionError("abort_with_status does not return")


def _loggable(kind: type, names: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    """Which of the names are single plain fields of a request, and whether a field knows that it is not set."""
    descriptor: Descriptor | None = getattr(kind, "DESCRIPTOR", None)
    if descriptor is None:
        return ()
    fields = [descriptor.fields_by_name[name] for name in names if name in descriptor.fields_by_name]
    return tuple(
        (field.name, field.has_presence) for field in fields if field.message_type is None and not field.is_repeated
    )


def credentials(context: Context) -> tuple[str | None, str | None]:
    """The authorization and the call id that the caller sends."""
    authorization = call_id = None
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            authorization = value
        elif key == CALL_ID_KEY:
            call_id = value
    return authorization, call_id


def _written(serve: Any) -> Serve:
    """A streaming handler in the one form that is served here: it writes its answers and returns nothing."""

    async def write_all(asked: Any, context: Context) -> None:
        answers = serve(asked, context)
        if not isinstance(answers, AsyncGenerator):
            await answers
            return
        async with aclosing(answers):
            async for answer in answers:
                await context.write(answer)

    return write_all


async def _not_served(_asked: Any, _context: Context) -> NoReturn:
    raise Rejected(Rejection(StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED", "there is no such method here"))


def _name(code: StatusCode | int) -> str:
    return code.name if isinstance(code, StatusCode) else STATUS_NAMES.get(code, "UNKNOWN")
