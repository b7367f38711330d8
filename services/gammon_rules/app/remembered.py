"""The last things that were of use, by key."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """A bounded table that forgets what was not asked for the longest."""

    def __init__(self, most: int) -> None:
        """`most`: how many entries are kept; 0 keeps none."""
        self._most = most
        self._entries: OrderedDict[K, V] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """What was kept under the key, if it still is."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def keep(self, key: K, value: V) -> None:
        """Keeps the value, and forgets the oldest if there are too many."""
        self._entries[key] = value
        if len(self._entries) > self._most:
            self._entries.popitem(last=False)
