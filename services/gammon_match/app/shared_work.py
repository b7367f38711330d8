"""Work that those share who want the same at the same time, as when a thousand watchers come back at once."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class SharedWork(Generic[Key, Result]):
    """Work in progress by key. Whoever stops waiting for it does not end it for the others."""

    def __init__(self) -> None:
        """Starts without any."""
        self._running: dict[Key, asyncio.Task[Result]] = {}

    async def of(self, key: Key, begin: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """The result of the work for a key that is in progress; none: of work that begins now."""
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(begin())
            task.add_done_callback(lambda _: self._running.pop(key))
        return await asyncio.shield(task)
