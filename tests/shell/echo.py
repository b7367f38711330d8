"""A small service of all four kinds of call, whose handlers do what the request's name says.

Its request is protobuf's own FieldDescriptorProto: a message with optional text and number fields that every
installation has.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import structlog
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Note

from gammon_shell.call import call_metadata, current_principal
from gammon_shell.errors import FieldFault, Rejected, Rejection
from gammon_shell.identity import IdentityFault, JwtPrincipals, Principal, SigningKey, bearer
from gammon_shell.policy import Policy
from gammon_shell.rate_limits import RateLimits
from gammon_shell.roles import ANYONE, RoleTable
from gammon_shell.verifying_keys import OneKey

SERVICE = "test.v1.Echo"
DOMAIN = "echo.test"
ISSUER, AUDIENCE = "tests", "echo"
ROLES: RoleTable = {
    f"/{SERVICE}/{name}": frozenset({"writer"})
    for name in ("Say", "Count", "CountWritten", "Gather", "Chat", "ChatWritten")
} | {f"/{SERVICE}/Open": ANYONE}
SECRET = "a secret that nobody may be told"
REFUSAL = Rejection(
    grpc.StatusCode.FAILED_PRECONDITION, "TOO_LATE", "it is 5 past 12", {"hour": "12"}, (FieldFault("when", "late"),)
)


class Notes:
    """What the handlers saw."""

    def __init__(self) -> None:
        self.cancelled = asyncio.Event()
        self.closed = asyncio.Event()
        self.started = asyncio.Event()


def add_echo(server: grpc.aio.Server, seen: Notes | None = None) -> None:
    """Adds the service."""
    notes = seen or Notes()

    async def say(request: Note, context: Any) -> Note:
        notes.started.set()
        match request.name:
            case "reject":
                raise Rejected(REFUSAL)
            case "crash":
                raise ValueError(SECRET)
            case "time out":
                raise TimeoutError(SECRET)
            case "abort":
                await context.abort(grpc.StatusCode.NOT_FOUND, "by itself")
            case "set code":
                context.set_code(grpc.StatusCode.OUT_OF_RANGE)
            case "who":
                who = current_principal()
                return Note(name=f"{who.subject} {sorted(who.roles)}")
            case "metadata":
                return Note(name=dict(call_metadata())["x-call-id"])
            case "log":
                structlog.get_logger().info("inside")
            case "sleep":
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    notes.cancelled.set()
                    raise
            case "nap":
                await asyncio.sleep(0.3)
        return request

    async def count(request: Note, context: Any) -> AsyncIterator[Note]:
        try:
            for number in range(request.number):
                yield Note(number=number)
            await say(request, context)
        finally:
            notes.closed.set()

    async def count_written(request: Note, context: Any) -> None:
        async for note in count(request, context):
            await context.write(note)

    async def gather(requests: AsyncIterator[Note], context: Any) -> Note:
        total = 0
        async for request in requests:
            await say(request, context)
            total += request.number
        return Note(number=total)

    async def chat(requests: AsyncIterator[Note], context: Any) -> AsyncIterator[Note]:
        async for request in requests:
            yield await say(request, context)

    async def chat_written(requests: AsyncIterator[Note], context: Any) -> None:
        async for note in chat(requests, context):
            await context.write(note)

    def plain(make: Callable[..., Any], handler: Any) -> Any:
        return make(handler, Note.FromString, Note.SerializeToString)

    async def anybody(_request: Note, _context: Any) -> Note:
        try:
            current_principal()
        except LookupError:
            return Note(name="nobody")
        return Note(name="somebody")

    handlers = {
        "Say": plain(grpc.unary_unary_rpc_method_handler, say),
        "Unlisted": plain(grpc.unary_unary_rpc_method_handler, say),
        "Open": plain(grpc.unary_unary_rpc_method_handler, anybody),
        "Count": plain(grpc.unary_stream_rpc_method_handler, count),
        "CountWritten": plain(grpc.unary_stream_rpc_method_handler, count_written),
        "Gather": plain(grpc.stream_unary_rpc_method_handler, gather),
        "Chat": plain(grpc.stream_stream_rpc_method_handler, chat),
        "ChatWritten": plain(grpc.stream_stream_rpc_method_handler, chat_written),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))


class Echo:
    """A client of the service; `key` signs the tokens it sends."""

    def __init__(self, channel: grpc.aio.Channel, key: SigningKey) -> None:
        self.channel, self.key = channel, key

    def token(self, subject: str = "anna", roles: tuple[str, ...] = ("writer",)) -> str:
        """A token that the service believes."""
        return self.key.token(subject, roles, ISSUER, AUDIENCE)

    def metadata(self, subject: str = "anna", roles: tuple[str, ...] = ("writer",)) -> tuple[tuple[str, str], ...]:
        """Call metadata with such a token."""
        return tuple(bearer(self.token(subject, roles)))

    async def say(
        self,
        name: str = "",
        *,
        method: str = "Say",
        metadata: tuple[tuple[str, str], ...] | None = None,
        timeout: float | None = 10,
        **fields: Any,
    ) -> Note:
        """A call of one request and one answer."""
        call = self.channel.unary_unary(f"/{SERVICE}/{method}", Note.SerializeToString, Note.FromString)
        sent = self.metadata() if metadata is None else metadata
        answer: Note = await call(Note(name=name or None, **fields), metadata=sent, timeout=timeout)
        return answer

    def count(self, name: str = "", number: int = 0, method: str = "Count", timeout: float = 10) -> Any:
        """A call that streams answers."""
        call = self.channel.unary_stream(f"/{SERVICE}/{method}", Note.SerializeToString, Note.FromString)
        return call(Note(name=name, number=number), metadata=self.metadata(), timeout=timeout)

    def gather(self, requests: list[Note]) -> Any:
        """A call that streams requests."""
        call = self.channel.stream_unary(f"/{SERVICE}/Gather", Note.SerializeToString, Note.FromString)
        return call(iter(requests), metadata=self.metadata(), timeout=10)

    def chat(self, requests: list[Note], method: str = "Chat") -> Any:
        """A call that streams both ways."""
        call = self.channel.stream_stream(f"/{SERVICE}/{method}", Note.SerializeToString, Note.FromString)
        return call(iter(requests), metadata=self.metadata(), timeout=10)


class Keyless:
    """What a source of principals does that needs no keys."""

    async def start(self) -> None:
        """Nothing to get."""

    async def renew(self) -> bool:
        """Nothing to get."""
        return False

    async def stop(self) -> None:
        """Nothing to end."""


class Tripping(Keyless):
    """A source of principals with a fault of its own."""

    def principal(self, authorization: str | None) -> Principal | IdentityFault:
        """Fails."""
        raise ValueError(f"{SECRET} {authorization}")


def policy(
    key: SigningKey, longest_s: float = 30.0, longest_upload_s: float = 30.0, limits: RateLimits | None = None
) -> Policy:
    """The service's policy."""
    principals = JwtPrincipals(OneKey(key.public_pem), ISSUER, AUDIENCE)
    logged = ("name", "number", "label", "options", "nothing")
    return Policy(DOMAIN, ROLES, principals, logged, longest_s, longest_upload_s, limits or RateLimits())
