"""Reading a match from its log: on from what is known of it, from its last checkpoint on, or all of it."""

from collections.abc import Sequence
from typing import TypeAlias

from gammon_match.app.checkpoints import Checkpointing, resumed
from gammon_match.app.codec import Codec
from gammon_match.app.live_match import LiveMatch, take_in
from gammon_match.app.ports import EventStore, Head, StoredEvent, Unreadable
from gammon_match.core.refusals import CorruptMatch, Rewound, StoreAway

LogFault: TypeAlias = CorruptMatch | Rewound | StoreAway


class MatchLog:
    """Reads and folds the logs of a store."""

    def __init__(self, store: EventStore, codec: Codec, checkpointing: Checkpointing) -> None:
        """Builds it on the store and on the checkpoints that are beside it."""
        self._store = store
        self._codec = codec
        self._checkpointing = checkpointing

    async def load(self, match_id: str) -> LiveMatch | LogFault:
        """A match as it stands, read from its last checkpoint on where that can be. Without events: there is none."""
        live = await self._resume(match_id)
        if live is None:
            live = LiveMatch(match_id)
            fault = await self.read_on(live)
            if fault is not None:
                return fault
        return live

    async def read_on(self, live: LiveMatch) -> LogFault | None:
        """Reads what has been stored since. The caller holds the match's lock."""
        seen = live.head
        recorded = await self._store.read(live.match_id, seen.sequence)
        if isinstance(recorded, Unreadable):
            return StoreAway(recorded.cause)
        if recorded.head is None:
            if recorded.events:
                return CorruptMatch(1, "there are events and no head record")
            return None if seen.sequence == 0 else Rewound(seen.sequence, seen.hash)
        if recorded.head.sequence < seen.sequence:
            return Rewound(seen.sequence, seen.hash)
        fault = self._fold(live, recorded.events, recorded.head)
        if fault is None:
            self._checkpointing.went_on(live)
        return fault

    async def read_whole(self, live: LiveMatch) -> LogFault | None:
        """Reads a match that was begun at a checkpoint from its first event up to where it stands.

        The caller holds the match's lock. After it the match is as if it had been read whole at first.
        """
        head = live.head
        recorded = await self._store.read(live.match_id, 0, head.sequence)
        if isinstance(recorded, Unreadable):
            return StoreAway(recorded.cause)
        if recorded.head is None or recorded.head.sequence < head.sequence:
            return Rewound(head.sequence, head.hash)
        whole = LiveMatch(live.match_id)
        fault = take_in(whole, recorded.events, self._codec)
        if fault is not None:
            return fault
        if whole.head.sequence < head.sequence:
            return CorruptMatch(whole.head.sequence + 1, f"event {whole.head.sequence + 1} is missing")
        if whole.head.hash != head.hash:
            return Rewound(head.sequence, head.hash)
        live.match, live.agreed, live.spans = whole.match, whole.agreed, whole.spans
        return None

    async def _resume(self, match_id: str) -> LiveMatch | None:
        """The match from its checkpoint on; None: whatever is wrong about that, the whole log will tell."""
        checkpoint = await self._checkpointing.load(match_id)
        if checkpoint is None:
            return None
        recorded = await self._store.read(match_id, checkpoint.head.sequence - 1)
        if isinstance(recorded, Unreadable) or recorded.head is None or not recorded.events:
            return None
        # Events that are gone below the checkpoint are missed here, as they would be by reading them.
        if recorded.length != recorded.head.sequence:
            return None
        at_checkpoint, *since = recorded.events
        live = resumed(match_id, checkpoint, at_checkpoint, self._codec)
        if live is None or self._fold(live, since, recorded.head) is not None:
            return None
        self._checkpointing.went_on(live)
        return live

    def _fold(self, live: LiveMatch, events: Sequence[StoredEvent], head: Head) -> CorruptMatch | Rewound | None:
        """Folds events on, up to a head record."""
        seen = live.head
        fault = take_in(live, events, self._codec)
        if fault is not None:
            return fault
        if live.head.sequence != head.sequence:
            missing = live.head.sequence + 1
            return CorruptMatch(missing, f"event {missing} is missing; the head record is at {head.sequence}")
        if live.head.hash != head.hash:
            if not events:
                return Rewound(seen.sequence, seen.hash)
            return CorruptMatch(live.head.sequence, "the head record has another hash than the last event")
        return None
