"""A TCP proxy between a client and a server that loses replies, delays them, or cuts connections."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class Proxy:
    """Forwards from `url` to the server at `upstream`, a URL; what it does wrong can be changed at any time.

    drop_replies: probability that a reply is swallowed and the connection cut, so that the server has acted
    and the client does not know. after_drop: awaited between the two. delay_requests, delay_replies: seconds.
    silent: replies are swallowed and the connection stays open. request_piece: requests arrive in pieces of so
    many bytes, with a pause between, so that the server does other things in the middle of a pipeline.
    """

    def __init__(self, upstream: str, seed: int = 0) -> None:
        self.drop_replies = 0.0
        self.delay_requests = 0.0
        self.delay_replies = 0.0
        self.silent = False
        self.request_piece: int | None = None
        self.dropped = 0
        self.after_drop: Callable[[], Awaitable[object]] | None = None
        self._upstream = urlsplit(upstream)
        self._random = random.Random(seed)
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._accepted = self._dead_up_to = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self.cut()

    @property
    def url(self) -> str:
        """The address for a client."""
        assert self._server is not None
        user, at, _ = self._upstream.netloc.rpartition("@")
        port = self._server.sockets[0].getsockname()[1]
        return self._upstream._replace(netloc=f"{user}{at}127.0.0.1:{port}").geturl()

    def drop_one_reply(self, after_drop: Callable[[], Awaitable[object]] | None = None) -> None:
        """Drops the next reply and no other."""

        async def once() -> None:
            self.drop_replies, self.after_drop = 0.0, None
            if after_drop is not None:
                await after_drop()

        self.drop_replies, self.after_drop = 1.0, once

    def die_in_silence(self) -> None:
        """From now on nothing comes back on the connections that are open now, and nobody is told."""
        self._dead_up_to = self._accepted

    async def cut(self) -> None:
        """Closes every connection, in both directions."""
        connections = list(self._connections)
        for connection in connections:
            connection.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    async def _accept(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        connection = asyncio.current_task()
        assert connection is not None
        self._connections.add(connection)
        self._accepted += 1
        number = self._accepted
        try:
            from_server, to_server = await asyncio.open_connection(self._upstream.hostname, self._upstream.port)
        except (asyncio.CancelledError, OSError):
            self._connections.discard(connection)
            to_client.transport.abort()
            return
        both = [
            asyncio.create_task(self._requests(from_client, to_server)),
            asyncio.create_task(self._replies(from_server, to_client, number)),
        ]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            pass  # cut
        finally:
            self._connections.discard(connection)
            for direction in both:
                direction.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            for writer in (to_client, to_server):
                writer.transport.abort()

    async def _requests(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65_536):
                if self.delay_requests:
                    await asyncio.sleep(self.delay_requests)
                size = self.request_piece or len(data)
                for start in range(0, len(data), size):
                    target.write(data[start : start + size])
                    await target.drain()
                    if self.request_piece is not None:
                        await asyncio.sleep(0.002)

    async def _replies(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, number: int) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65_536):
                if self.delay_replies:
                    await asyncio.sleep(self.delay_replies)
                if self.silent or number <= self._dead_up_to:
                    continue
                if self._random.random() < self.drop_replies:
                    self.dropped += 1
                    if self.after_drop is not None:
                        await self.after_drop()
                    return
                target.write(data)
                await target.drain()
