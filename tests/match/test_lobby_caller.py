"""What a caller is told of changes that come late or twice, without a store."""

import asyncio
from collections.abc import Mapping, Sequence

from tests.match.listening import OFFICIAL

from gammon_match.adapters.partitions import partition_of
from gammon_match.app.following import Following
from gammon_match.app.index import Row
from gammon_match.app.lobby_caller import Changed, LobbyCaller, Look
from gammon_match.app.ports import Head, StoredEvent
from gammon_match.app.tail import Change, FeedItem
from gammon_match.core.events import Status
from gammon_match.core.listing import Listing, Wanted


class Silent:
    """A tail on which nothing happens."""

    async def newer(self, positions: Mapping[str, int], wait_s: float) -> Mapping[str, Sequence[StoredEvent]]:
        await asyncio.sleep(wait_s)
        return {}

    async def feed(self, partition: int, after: int, limit: int, wait_s: float) -> Sequence[FeedItem]:
        return ()

    async def changes(self, partition: int, after: int, limit: int, wait_s: float) -> Sequence[Change]:
        return ()

    async def last_change(self, partition: int) -> int:
        return 0


MATCH = "m_003_" + "A" * 26


def entry(status: Status) -> Listing:
    return Listing(status, ("alice", "bob"), "alice", 1, (), 0, False, bytes([status]))


def test_an_end_that_was_seen_is_not_told_again_when_its_change_comes() -> None:
    caller = LobbyCaller(Wanted(), OFFICIAL, Following(Silent(), partition_of))
    assert caller.tell(Row(MATCH, 4), entry(Status.PLAYING)) is not None
    over, change = Row(MATCH, 9), Changed(Row(MATCH, 9), entry(Status.CLOSED), Head(9, bytes(32)))
    assert caller.tell_ended(over, entry(Status.CLOSED), 3, last_change=7) is not None
    # A look that began before that change may come in between.
    caller.look(Look(3, position=6))
    caller.look(Look(4, position=99))
    assert caller.take(change) is None
    # Once no more can come, it is forgotten.
    caller.look(Look(3, position=7))
    assert caller.take(change) is not None


async def test_a_head_is_told_once_however_it_is_learnt() -> None:
    following = Following(Silent(), partition_of)
    told: list[Head] = []
    following.follow(MATCH, 4, lambda _, head: told.append(head))
    for last in (4, 6, 5, 6, 7):
        following.stored(MATCH, [StoredEvent(last, b"", bytes([last]))])
    assert told == [Head(6, b"\6"), Head(7, b"\7")]
    await following.close()
