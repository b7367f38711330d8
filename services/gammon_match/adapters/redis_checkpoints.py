"""Checkpoints on Redis or Valkey: one string a match, beside its stream."""

from gammon_match.adapters.checkpoint_codec import checkpoint_bytes, checkpoint_from
from gammon_match.adapters.partitions import keys_of
from gammon_match.adapters.redis_link import RedisLink, packed
from gammon_match.app.checkpoints import Checkpoint


class RedisCheckpoints:
    """The checkpoints of a store."""

    def __init__(self, link: RedisLink) -> None:
        """`link`: to the server of the events."""
        self._link = link

    async def load(self, match_id: str) -> Checkpoint | None:
        """A match's checkpoint; None: there is none that can be read."""
        keys = keys_of(match_id)
        if keys is None:
            return None
        match await self._link.read(packed(b"GET", keys.checkpoint)):
            case [bytes(kept)]:
                return checkpoint_from(kept)
            case _:
                return None

    async def save(self, match_id: str, checkpoint: Checkpoint) -> None:
        """Keeps a checkpoint instead of the one before, where the server lets it."""
        keys = keys_of(match_id)
        if keys is not None:
            await self._link.exchange(packed(b"SET", keys.checkpoint, checkpoint_bytes(checkpoint)))
