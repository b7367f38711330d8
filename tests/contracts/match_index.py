"""What every index of matches must do, beside what every event store must do (`event_store.py`)."""

from dataclasses import replace
from itertools import product

from tests.contracts.batches import batch_at, genesis, history, match_id
from tests.contracts.subject import Subject

from gammon_match.app.index import Row
from gammon_match.app.ports import Appended, Batch, Closed, Conflict, Head
from gammon_match.core.listing import ListingChange

MATCH = match_id(1)


def listed(batch: Batch, listing: bytes | None, *facets: str, gone: tuple[str, ...] = ()) -> Batch:
    """The batch with what it changes of the match's place in lists."""
    return replace(batch, listing=ListingChange(listing, frozenset(facets), frozenset(gone)))


def created(of: str, *facets: str) -> Batch:
    """The first batch of a match."""
    return listed(batch_at(genesis(of), of, b"a"), b"row of " + of.encode(), *facets)


class MatchIndexContract:
    """Inherit in a test module that has a `subject` fixture."""

    async def test_all_matches_are_listed_once_in_ascending_order(self, subject: Subject) -> None:
        ids = [match_id(number, partition) for partition in (0, 3, 15) for number in range(4)]
        for of in reversed(ids):
            first, second = history(of, [[b"a"], [b"b"]])
            await subject.appended(first, second)
        assert [row.match_id for partition in range(16) for row in await subject.page(partition)] == ids
        assert await subject.page(3, limit=2) == [Row(ids[4]), Row(ids[5])]
        assert await subject.page(3, after=ids[4], limit=2) == [Row(ids[5]), Row(ids[6])]
        assert await subject.page(3, after=ids[7]) == []
        assert await subject.page(3, after=ids[0], limit=1) == [Row(ids[4])]
        assert await subject.page(4) == []

    async def test_a_match_is_found_under_its_facets_with_its_row(self, subject: Subject) -> None:
        await subject.appended(created(MATCH, "open", "player:alice"))
        row = Row(MATCH, 1, b"row of " + MATCH.encode())
        for facets in ((), ("open",), ("player:alice",), ("open", "player:alice")):
            assert await subject.page(3, *facets) == [row]
        assert await subject.page(3, "player:bob") == []
        assert await subject.page(4, "open") == []
        assert await subject.rows(MATCH, match_id(9)) == [row, Row(match_id(9))]

    async def test_the_facet_with_the_fewest_is_read(self, subject: Subject) -> None:
        ids = [match_id(number) for number in range(7)]
        for number, of in enumerate(ids):
            await subject.appended(created(of, "open", *(("tag:cup",) if number % 3 == 0 else ())))
        for facets in (("open", "tag:cup"), ("tag:cup", "open"), ("tag:cup",)):
            assert [row.match_id for row in await subject.page(3, *facets)] == ids[::3]
        assert await subject.page(3, "open", "tag:cup", "tag:none") == []
        assert [row.match_id for row in await subject.page(3, "open", after=ids[2], limit=3)] == ids[3:6]

    async def test_a_later_batch_changes_row_and_facets(self, subject: Subject) -> None:
        first = created(MATCH, "open", "status:1")
        second = batch_at(first.head, MATCH, b"b", b"c")
        third = listed(batch_at(second.head, MATCH, b"d"), b"as it is", "open", "status:2", gone=("status:1",))
        await subject.appended(first, second)
        assert await subject.page(3, "status:1") == [Row(MATCH, 1, b"row of " + MATCH.encode())]
        await subject.appended(third)
        assert await subject.page(3, "status:1") == []
        assert await subject.page(3, "status:2") == await subject.page(3, "open") == [Row(MATCH, 4, b"as it is")]

    async def test_facets_can_change_while_the_row_reads_as_before(self, subject: Subject) -> None:
        first = created(MATCH, "open")
        timed = listed(batch_at(first.head, MATCH, b"b"), None, "open", "timed")
        await subject.appended(first, timed)
        assert await subject.page(3, "timed") == [Row(MATCH, 1, b"row of " + MATCH.encode())]

    async def test_what_is_not_appended_changes_nothing(self, subject: Subject) -> None:
        first = created(MATCH, "open")
        over = listed(batch_at(first.head, MATCH, b"over", closes=True), b"closed", "status:5", gone=("open",))
        await subject.appended(first, over)
        rival = listed(batch_at(first.head, MATCH, b"x"), b"other", "open", gone=("status:5",))
        assert await subject.append(rival) == Conflict(over.head)
        late = listed(batch_at(over.head, MATCH, b"x"), b"other", "open", gone=("status:5",))
        assert await subject.append(late) == Closed(over.head)
        assert await subject.append(first) == Appended(subject.offered, duplicate=True)
        assert await subject.page(3, "open") == []
        assert await subject.page(3, "status:5") == [Row(MATCH, 2, b"closed")]

    async def test_awkward_tags_are_facets_of_their_own(self, subject: Subject) -> None:
        tags = ("{", "}x", "a:b", "*", "\\", "~")
        for number, tag in enumerate(tags):
            await subject.appended(created(match_id(number), f"tag:{tag}"))
        for number, tag in enumerate(tags):
            assert [row.match_id for row in await subject.page(3, f"tag:{tag}")] == [match_id(number)]

    async def test_heads_are_those_of_the_logs(self, subject: Subject) -> None:
        for number, partition in product(range(2), (0, 15)):
            of = match_id(number, partition)
            first, second = history(of, [[b"a"], [b"b", b"c"]])
            await subject.appended(first, second)
            assert await subject.index.heads([of, match_id(7)]) == {of: Head(3, second.head.hash)}
