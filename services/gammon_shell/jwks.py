"""Keys of a JWKS address: fetched at the start, again every few minutes, and when a token names a new one."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

import structlog
from jwt import PyJWK, PyJWKClient
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_delay, wait_fixed

from gammon_shell.errors import RefusedToStart
from gammon_shell.verifying_keys import VerifyingKey

T = TypeVar("T")
LOG = structlog.get_logger("jwks")
FETCH_WITHIN_S = 5.0
START_WITHIN_S = 15.0
AGAIN_S = 0.5
# Anybody can send tokens with key ids of their own, and each would be a request to the address.
COOLDOWN_S = 10.0


class NotFetched(Exception):
    """The address gave no keys; the text says why."""


class JwksKeys:
    """The keys of an address by key id. Those that were fetched stay good while the address is away."""

    def __init__(self, url: str, refresh_s: float) -> None:
        """`url`: https, or http on loopback; redirects are not followed. `refresh_s`: seconds between two fetches."""
        self._client = PyJWKClient(url, cache_jwk_set=False, timeout=FETCH_WITHIN_S)
        self._refresh_s = refresh_s
        self._keys: Mapping[str, VerifyingKey] = {}
        self._version = 0
        self._cool_at = 0.0
        self._fetching: asyncio.Task[bool] | None = None
        self._refreshing: asyncio.Task[None] | None = None

    @property
    def version(self) -> int:
        """Another number when the keys are others."""
        return self._version

    def key(self, kid: str | None) -> VerifyingKey | None:
        """The key with this id. A token without an id is nobody's."""
        return None if kid is None else self._keys.get(kid)

    async def start(self) -> None:
        """Fetches the keys; waits a while for an address that is starting. Raises RefusedToStart."""
        patiently = AsyncRetrying(
            retry=retry_if_exception_type(NotFetched),
            wait=wait_fixed(AGAIN_S),
            stop=stop_after_delay(START_WITHIN_S),
            reraise=True,
        )
        try:
            await patiently(self._fetch)
        except NotFetched as failed:
            raise RefusedToStart(f"GAMMON_AUTH_JWKS_URL: no keys within {START_WITHIN_S:.0f} s: {failed}") from None
        self._refreshing = asyncio.create_task(self._refresh())

    async def renew(self) -> bool:
        """Fetches the keys anew; all who ask meanwhile wait for the same fetch. False: not yet again, or in vain."""
        if self._fetching is None:
            now = time.monotonic()
            if now < self._cool_at:
                return False
            self._cool_at = now + COOLDOWN_S
            self._fetching = asyncio.create_task(self._tried())
            self._fetching.add_done_callback(self._fetched)
        # A caller that gives up must not end the fetch for the others.
        return await asyncio.shield(self._fetching)

    async def stop(self) -> None:
        """Ends the fetches."""
        tasks = [task for task in (self._refreshing, self._fetching) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _fetched(self, _task: asyncio.Task[bool]) -> None:
        self._fetching = None

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(self._refresh_s)
            await self._tried()

    async def _tried(self) -> bool:
        try:
            await self._fetch()
        except NotFetched as failed:
            LOG.warning("keys not fetched", fault=str(failed), kept=len(self._keys))
            return False
        return True

    async def _fetch(self) -> None:
        try:
            listed = await _aside(self._client.get_signing_keys)
            keys = _usable(listed)
        # Whatever the address answers, a role that has keys goes on with them.
        except Exception as error:
            raise NotFetched(f"{type(error).__name__}: {error}") from error
        if not keys:
            raise NotFetched("none of its keys is Ed25519 (EdDSA) or RSA of 2048 bits and more (RS256) with a kid")
        if keys != self._keys:
            LOG.info("keys", kids=sorted(keys), left_out=len(listed) - len(keys))
            self._keys = keys
            self._version += 1


def _usable(listed: Sequence[PyJWK]) -> Mapping[str, VerifyingKey]:
    """Keys by id. A key for another algorithm is left out, and so is an id that stands for two keys."""
    count = Counter(jwk.key_id for jwk in listed)
    keys = {}
    for jwk in listed:
        found = VerifyingKey.of(jwk.key)
        if found is not None and found.algorithm == jwk.algorithm_name and jwk.key_id and count[jwk.key_id] == 1:
            keys[jwk.key_id] = found
    return keys


async def _aside(work: Callable[[], T]) -> T:
    """Does blocking work in a thread that the end of the process does not wait for."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=run, name="jwks", daemon=True).start()
    return await asyncio.wrap_future(done)
