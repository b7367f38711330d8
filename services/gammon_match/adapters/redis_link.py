"""Connections to a Redis or Valkey server that tell how far a command got: not sent, unanswered, or answered.

The client library hides that: it retries by itself, and its errors do not say whether the server may have
acted (event store, finding 1). So its retries are off, and an exchange runs stage by stage on one connection.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hiredis import pack_command
from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, BusyLoadingError, RedisError, ResponseError
from redis.exceptions import ConnectionError as LostConnection

from gammon_match.app.ports import DurabilityLevel, Unreadable

# How long a connection's durability level is believed before the server is asked again.
LEVEL_BELIEVED_SECONDS: Final = 10.0


def packed(*parts: bytes | str | int) -> bytes:
    """One command as it goes over the wire."""
    command: bytes = pack_command(parts)  # type: ignore[arg-type]  # its stub allows tuples of one part only
    return command


# Two names in one CONFIG GET: Redis 7.0 and later.
READ_LEVEL: Final = packed(b"CONFIG", b"GET", b"appendonly", b"appendfsync")


@dataclass(frozen=True, slots=True)
class Replied:
    """The server's answers in the order of the commands, an error reply as its exception, and its level."""

    replies: Sequence[object]
    level: DurabilityLevel


@dataclass(frozen=True, slots=True)
class NotSent:
    """Nothing reached the server. The cause starts with UNREACHED, BUSY or LEVEL."""

    cause: str


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Sent at least in part; the server may have carried the commands out. UNANSWERED starts the cause."""

    cause: str


@dataclass(slots=True)
class _Line:
    connection: AbstractConnection
    level: DurabilityLevel = DurabilityLevel.ACCEPTED
    level_read_again_at: float = 0.0


class RedisLink:
    """A bounded pool of connections to one server; callers beyond the bound wait for their turn."""

    def __init__(
        self, url: str, *, connections: int = 32, connect_timeout: float = 2.0, reply_timeout: float = 5.0
    ) -> None:
        """Connects on first use. `url`: redis://, rediss:// or unix://; times in seconds."""
        self._pool = ConnectionPool.from_url(url)
        # After the URL was read, so that nothing in it can switch retries or decoding on again.
        self._pool.connection_kwargs.update(
            retry=Retry(NoBackoff(), 0),
            retry_on_timeout=False,
            retry_on_error=[],
            socket_timeout=None,
            socket_connect_timeout=connect_timeout,
            decode_responses=False,
            protocol=2,
            health_check_interval=0,
            driver_info=None,
        )
        self._connect_timeout = connect_timeout
        self._reply_timeout = reply_timeout
        self._free = asyncio.Semaphore(connections)
        self._idle: list[_Line] = []
        self._level = DurabilityLevel.ACCEPTED

    @property
    def level(self) -> DurabilityLevel:
        """The level of the server as last read: FSYNCED if it runs appendonly with appendfsync always."""
        return self._level

    async def exchange(
        self, commands: bytes, replies: int = 1, at_least: DurabilityLevel = DurabilityLevel.ACCEPTED
    ) -> Replied | NotSent | Unanswered:
        """Sends packed commands over one connection and reads as many replies.

        A server below `at_least` is not sent anything. A cancelled exchange closes its connection, so that
        nobody is given the answer to another's command.
        """
        if not await self._take_turn():
            return NotSent(f"BUSY: no connection became free within {self._reply_timeout} s")
        line = self._idle.pop() if self._idle else _Line(self._new_connection())
        try:
            return await self._exchange_on(line, commands, replies, at_least)
        except BaseException:
            await line.connection.disconnect(nowait=True)
            raise
        finally:
            self._idle.append(line)
            self._free.release()

    async def read(self, commands: bytes, replies: int = 1) -> Sequence[object] | Unreadable:
        """The replies to commands that may be sent twice: asked again once if they are lost."""
        outcome = await self.exchange(commands, replies)
        if isinstance(outcome, Unanswered):
            outcome = await self.exchange(commands, replies)
        return replies_of(outcome)

    async def _take_turn(self) -> bool:
        if not self._free.locked():
            return await self._free.acquire()
        try:
            async with asyncio.timeout(self._reply_timeout):
                return await self._free.acquire()
        except TimeoutError:
            return False

    def _new_connection(self) -> AbstractConnection:
        connection: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]
        return connection

    async def _exchange_on(
        self, line: _Line, commands: bytes, replies: int, at_least: DurabilityLevel
    ) -> Replied | NotSent | Unanswered:
        connection = line.connection
        try:
            if not await self._is_ready(line):
                async with asyncio.timeout(self._connect_timeout):
                    await self._make_ready(line)
        except (RedisError, OSError, TimeoutError) as error:
            await connection.disconnect(nowait=True)
            return NotSent(f"UNREACHED: {_said(error)}")
        if line.level.value < at_least.value:
            return NotSent(f"LEVEL: {at_least.name} asked, {line.level.name} offered")
        answers: list[object] = []
        try:
            async with asyncio.timeout(self._reply_timeout):
                await connection.send_packed_command(commands, check_health=False)
                while len(answers) < replies:
                    answer = await _read_reply(connection)
                    # The library closes the connection on these; the commands behind were refused alike.
                    lost = isinstance(answer, LostConnection)
                    answers.extend([answer] * (replies - len(answers)) if lost else [answer])
        except (RedisError, OSError, TimeoutError) as error:
            await connection.disconnect(nowait=True)
            return Unanswered(f"UNANSWERED: {_said(error)}")
        return Replied(answers, line.level)

    async def _is_ready(self, line: _Line) -> bool:
        # Readable without a question: closed by the server, or an answer that belongs to nobody any more.
        return (
            line.connection.is_connected
            and asyncio.get_running_loop().time() < line.level_read_again_at
            and not await line.connection.can_read()
        )

    async def _make_ready(self, line: _Line) -> None:
        connection = line.connection
        if connection.is_connected and await connection.can_read():
            await connection.disconnect(nowait=True)
        await connection.connect()  # type: ignore[no-untyped-call]
        # No connection outlives its server's process, so a restarted or replaced server is always asked anew.
        await connection.send_packed_command(READ_LEVEL, check_health=False)
        settings = await _read_reply(connection)
        # A server that keeps its settings to itself promises nothing; one that is not at work is not there.
        if isinstance(settings, Exception) and error_code(settings) not in ("NOPERM", "ERR"):
            raise settings
        line.level = self._level = level_of(settings)
        line.level_read_again_at = asyncio.get_running_loop().time() + LEVEL_BELIEVED_SECONDS

    async def aclose(self) -> None:
        """Closes the connections that nobody is using."""
        while self._idle:
            await self._idle.pop().connection.disconnect(nowait=True)


async def _read_reply(connection: AbstractConnection) -> object:
    try:
        reply: object = await connection.read_response()
    except (ResponseError, BusyLoadingError, AuthenticationError) as error:
        return error
    return reply


def replies_of(outcome: Replied | NotSent | Unanswered) -> Sequence[object] | Unreadable:
    """The replies of an exchange of which each matters: one error among them is as good as no answer."""
    if not isinstance(outcome, Replied):
        return Unreadable(outcome.cause)
    for reply in outcome.replies:
        if isinstance(reply, Exception):
            return Unreadable(error_text(reply))
    return outcome.replies


def level_of(append_settings: object) -> DurabilityLevel:
    """The level a server can hold, from its reply to READ_LEVEL; ACCEPTED if it does not tell."""
    if not isinstance(append_settings, list):
        return DurabilityLevel.ACCEPTED
    settings = dict(zip(append_settings[::2], append_settings[1::2], strict=True))
    held = settings.get(b"appendonly") == b"yes" and settings.get(b"appendfsync") == b"always"
    return DurabilityLevel.FSYNCED if held else DurabilityLevel.ACCEPTED


def error_code(error: Exception) -> str:
    """The first word of a server's error reply, such as `OOM`."""
    return error_text(error).partition(":")[0]


def error_text(error: Exception) -> str:
    """A server's error reply as `CODE: sentence`."""
    # The library cuts the code off the sentence only where it knows it.
    code, sentence = getattr(error, "status_code", None), str(error)
    if not isinstance(code, str):
        code, _, sentence = sentence.partition(" ")
    return f"{code}: {sentence}"


def _said(error: BaseException) -> str:
    return f"{type(error).__name__} {error}".rstrip()
