"""Services that begin at checkpoints, over one store in memory."""

import asyncio
from dataclasses import dataclass, field
from itertools import count

from tests.match.in_process import Desk
from tests.match.random_table import session_of

from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon.rules.v1 import settings_pb2
from gammon_match.adapters.memory_checkpoints import MemoryCheckpoints
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.checkpoints import Checkpointing
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import StoredEvent

RULES = session_of(settings_pb2.GAME_BACKGAMMON)


@dataclass
class Service:
    """A store, the checkpoints beside it, and services over them, each as cold as the first."""

    store: MemoryEventStore = field(default_factory=MemoryEventStore)
    checkpoints: MemoryCheckpoints = field(default_factory=MemoryCheckpoints)
    desks: int = 0

    def desk(self) -> Desk:
        """Another process, with request ids of its own."""
        self.desks += 1
        desk = Desk(self.store, checkpointing=Checkpointing(self.checkpoints))
        desk._numbers = count(1_000_000 * self.desks)
        return desk

    async def cold(self, match_id: str, *, whole: bool = False) -> tuple[Desk, LiveMatch]:
        """Another process, which has just read the match, `whole` or from a checkpoint on."""
        desk = self.desk()
        live = await desk.live.get(match_id)
        assert isinstance(live, LiveMatch), live
        assert live.spans.is_whole is whole
        return desk, live

    async def played(self, acts: int, terms: terms_pb2.MatchSettings | None = None) -> tuple[Desk, LiveMatch]:
        """The process that has played a match, far enough to have left a checkpoint."""
        desk = self.desk()
        live = await desk.match(RULES, terms)
        for _ in range(acts):
            await desk.play_out(live, most_acts=1)
            await asyncio.sleep(0)
        assert live.match_id in self.checkpoints.kept
        return desk, live

    def events(self, match_id: str) -> list[StoredEvent]:
        """The log, to be tampered with."""
        return self.store._matches[match_id].events


def turn(live: LiveMatch) -> int:
    """The seat to act."""
    assert live.match.standing is not None
    return live.match.standing.seats_to_act[0]
