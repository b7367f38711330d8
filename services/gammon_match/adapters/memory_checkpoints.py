"""Checkpoints in memory, as the bytes that a server would keep: for tests of what stands above them."""

from gammon_match.adapters.checkpoint_codec import checkpoint_bytes, checkpoint_from
from gammon_match.adapters.partitions import partition_of
from gammon_match.app.checkpoints import Checkpoint


class MemoryCheckpoints:
    """Keeps checkpoints while the process lives; `kept` has their bytes by match."""

    def __init__(self) -> None:
        """Starts without any."""
        self.kept: dict[str, bytes] = {}

    async def load(self, match_id: str) -> Checkpoint | None:
        """A match's checkpoint; None: there is none that can be read."""
        kept = self.kept.get(match_id)
        return None if kept is None else checkpoint_from(kept)

    async def save(self, match_id: str, checkpoint: Checkpoint) -> None:
        """Keeps a checkpoint instead of the one before."""
        if partition_of(match_id) is not None:
            self.kept[match_id] = checkpoint_bytes(checkpoint)
