"""What every event store must do, written against the port. A test module supplies the `subject` fixture."""

import asyncio
from dataclasses import replace

import pytest
from tests.contracts.batches import batch_at, genesis, history, match_id
from tests.contracts.subject import Subject

from gammon_match.app.ports import (
    MAX_BATCH_EVENTS,
    MAX_EVENT_BYTES,
    Appended,
    Closed,
    Conflict,
    DurabilityLevel,
    Head,
    NotWritten,
    Recorded,
)

MATCH = match_id(1)


class EventStoreContract:
    """Inherit in a test module that has a `subject` fixture."""

    async def test_a_batch_is_stored_whole_with_gapless_sequences(self, subject: Subject) -> None:
        first, second, third = history(MATCH, [[b"a", b"b"], [b"c"], [b"d", b"e", b"f"]])
        await subject.appended(first, second, third)
        recorded = await subject.recorded(MATCH)
        assert [event.sequence for event in recorded.events] == [1, 2, 3, 4, 5, 6]
        assert [event.envelope for event in recorded.events] == [b"a", b"b", b"c", b"d", b"e", b"f"]
        assert recorded.head == Head(6, third.hashes[-1])
        assert not recorded.closed
        await subject.holds_only(first, second, third)

    async def test_bytes_are_kept_as_they_are(self, subject: Subject) -> None:
        awkward = (b"\x00", b"\r\n$-1\r\n", bytes(range(256)), "Würfel".encode(), b"-1")
        batch = batch_at(genesis(MATCH), MATCH, *awkward, feed_entry=b"\x00\r\n\xff")
        await subject.appended(batch)
        assert tuple(event.envelope for event in (await subject.recorded(MATCH)).events) == awkward
        assert await subject.feed(3) == [b"\x00\r\n\xff"]

    async def test_the_same_batch_again_is_a_duplicate(self, subject: Subject) -> None:
        first, second = history(MATCH, [[b"a", b"b"], [b"c"]])
        await subject.appended(first)
        assert await subject.append(first) == Appended(subject.offered, duplicate=True)
        await subject.appended(second)
        assert await subject.append(second) == Appended(subject.offered, duplicate=True)
        await subject.holds_only(first, second)

    async def test_a_batch_further_down_is_a_duplicate(self, subject: Subject) -> None:
        batches = history(MATCH, [[b"a"], [b"b", b"c"], [b"d"], [b"e", b"f"]])
        await subject.appended(*batches)
        for batch in batches:
            assert await subject.append(batch) == Appended(subject.offered, duplicate=True)
        await subject.holds_only(*batches)

    async def test_another_batch_at_a_taken_place_is_a_conflict(self, subject: Subject) -> None:
        first, second = history(MATCH, [[b"a"], [b"b", b"c"]])
        await subject.appended(first, second)
        for other in (
            batch_at(genesis(MATCH), MATCH, b"x"),
            batch_at(first.head, MATCH, b"b", b"x"),
            batch_at(first.head, MATCH, b"x", b"c"),
            batch_at(first.head, MATCH, b"b", b"c", b"d"),
        ):
            assert await subject.append(other) == Conflict(second.head)
        await subject.holds_only(first, second)

    async def test_the_hash_is_part_of_the_place(self, subject: Subject) -> None:
        [first] = history(MATCH, [[b"a"]])
        await subject.appended(first)
        lost = batch_at(genesis(MATCH), MATCH, b"lost in a failover").head
        assert await subject.append(batch_at(lost, MATCH, b"b")) == Conflict(first.head)
        await subject.holds_only(first)

    async def test_a_place_beyond_the_end_is_a_conflict(self, subject: Subject) -> None:
        first, _, third = history(MATCH, [[b"a"], [b"b"], [b"c"]])
        assert await subject.append(third) == Conflict(Head(0, b""))
        await subject.appended(first)
        assert await subject.append(third) == Conflict(first.head)
        await subject.holds_only(first)

    async def test_nothing_follows_a_closing_batch(self, subject: Subject) -> None:
        [first] = history(MATCH, [[b"a"]])
        closing = batch_at(first.head, MATCH, b"over", closes=True)
        await subject.appended(first, closing)
        assert (await subject.recorded(MATCH)).closed
        assert await subject.append(batch_at(closing.head, MATCH, b"more")) == Closed(closing.head)
        assert await subject.append(batch_at(first.head, MATCH, b"other end")) == Conflict(closing.head)
        for batch in (first, closing):
            assert await subject.append(batch) == Appended(subject.offered, duplicate=True)
        await subject.holds_only(first, closing)

    @pytest.mark.parametrize(
        ("fault", "field"),
        [
            ({"envelopes": (), "hashes": ()}, "envelopes"),
            ({"envelopes": (b"e",) * 65, "hashes": (bytes(32),) * 65}, "envelopes"),
            ({"envelopes": (b"",)}, "envelopes[0]"),
            ({"envelopes": (bytes(MAX_EVENT_BYTES + 1),)}, "envelopes[0]"),
            ({"hashes": ()}, "hashes"),
            ({"hashes": (bytes(31),)}, "hashes[0]"),
            ({"expected": Head(0, b"")}, "expected.hash"),
            ({"expected": Head(-1, bytes(32))}, "expected.sequence"),
            ({"feed_entry": b""}, "feed_entry"),
            ({"feed_entry": bytes(MAX_EVENT_BYTES + 1)}, "feed_entry"),
            ({"match_id": "m_128_AAAAAAAAAAAAAAAAAAAAAAAAAA"}, "match_id"),
            ({"match_id": "m_003_} * {"}, "match_id"),
        ],
    )
    async def test_a_batch_out_of_bounds_is_not_written(
        self, subject: Subject, fault: dict[str, object], field: str
    ) -> None:
        sound = batch_at(genesis(MATCH), MATCH, b"a")
        result = await subject.append(replace(sound, **fault))  # type: ignore[arg-type]
        assert isinstance(result, NotWritten)
        assert result.cause.startswith(f"BATCH: {field} ")
        assert await subject.recorded(MATCH) == Recorded((), None)
        assert await subject.page(3) == []
        await subject.appended(sound)

    async def test_the_largest_batch_is_stored(self, subject: Subject) -> None:
        envelopes = [bytes([i]) * MAX_EVENT_BYTES for i in range(MAX_BATCH_EVENTS)]
        batch = batch_at(genesis(MATCH), MATCH, *envelopes, feed_entry=bytes(MAX_EVENT_BYTES))
        await subject.appended(batch)
        await subject.holds_only(batch)

    async def test_one_of_many_racing_writers_wins(self, subject: Subject) -> None:
        """Case S3: one wins, and the others are told the head."""
        [first] = history(MATCH, [[b"a"]])
        await subject.appended(first)
        rivals = [batch_at(first.head, MATCH, b"writer %d" % i, b"second") for i in range(8)]
        results = await asyncio.gather(*(subject.append(rival) for rival in rivals))
        [winner] = [rival for rival, result in zip(rivals, results, strict=True) if result == Appended(subject.offered)]
        assert results.count(Conflict(winner.head)) == 7
        await subject.holds_only(first, winner)

    async def test_events_and_head_are_read_at_one_moment(self, subject: Subject) -> None:
        batches = history(MATCH, [[b"%d" % i, b"and"] for i in range(60)])
        await subject.appended(batches[0])
        writing = asyncio.create_task(subject.appended(*batches[1:]))
        heads = set()
        while not writing.done():
            recorded = await subject.recorded(MATCH)
            last = recorded.events[-1]
            assert recorded.head == Head(last.sequence, last.hash)
            heads.add(last.sequence)
            await asyncio.sleep(0)
        await writing
        assert all(sequence % 2 == 0 for sequence in heads)
        await subject.holds_only(*batches)

    async def test_reading_in_pages(self, subject: Subject) -> None:
        [batch] = history(MATCH, [[b"%d" % i for i in range(10)]])
        await subject.appended(batch)
        page = await subject.recorded(MATCH, after=4, limit=3)
        assert tuple(page.events) == batch.events[4:7]
        assert page.head == batch.head
        assert tuple((await subject.recorded(MATCH, after=7)).events) == batch.events[7:]
        assert tuple((await subject.recorded(MATCH, after=8, limit=9)).events) == batch.events[8:]
        assert await subject.recorded(MATCH, after=10) == Recorded((), batch.head)
        assert await subject.recorded(MATCH, limit=0) == Recorded((), batch.head)

    async def test_an_unknown_match_has_no_head(self, subject: Subject) -> None:
        assert await subject.recorded(MATCH) == Recorded((), None)
        assert await subject.recorded("no match id") == Recorded((), None)

    async def test_a_feed_entry_is_stored_with_its_batch_or_not_at_all(self, subject: Subject) -> None:
        other = match_id(2)
        [first] = history(MATCH, [[b"a"]])
        over = batch_at(first.head, MATCH, b"over", feed_entry=b"first over", closes=True)
        [elsewhere] = [replace(batch, feed_entry=b"other over") for batch in history(other, [[b"x"]])]
        await subject.appended(first, over, elsewhere)
        assert (await subject.append(over), await subject.append(elsewhere)) == (
            Appended(subject.offered, duplicate=True),
            Appended(subject.offered, duplicate=True),
        )
        late = batch_at(first.head, MATCH, b"late", feed_entry=b"never")
        assert await subject.append(late) == Conflict(over.head)
        behind = batch_at(over.head, MATCH, b"more", feed_entry=b"never")
        assert await subject.append(behind) == Closed(over.head)
        assert await subject.feed(3) == [b"first over", b"other over"]
        assert await subject.feed(4) == []

    async def test_a_level_that_is_not_offered_is_refused_before_writing(self, subject: Subject) -> None:
        [batch] = history(MATCH, [[b"a"]])
        result = await subject.store.append(batch, DurabilityLevel.REPLICATED)
        assert isinstance(result, NotWritten)
        assert result.cause.startswith("LEVEL: ")
        assert await subject.recorded(MATCH) == Recorded((), None)

    async def test_a_lower_level_is_answered_with_what_was_achieved(self, subject: Subject) -> None:
        [batch] = history(MATCH, [[b"a"]])
        assert await subject.store.append(batch, DurabilityLevel.ACCEPTED) == Appended(subject.offered)

    @pytest.mark.parametrize("turns", [0, 1, 2, 3, 5, 8])
    async def test_a_cancelled_caller_does_not_cut_the_append(self, subject: Subject, turns: int) -> None:
        first, second = history(MATCH, [[b"a"], [b"b", b"c"]])
        await subject.appended(first)
        calling = asyncio.create_task(subject.append(second))
        await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        calling.cancel()
        await asyncio.wait([calling])
        async with asyncio.timeout(5):
            while (await subject.recorded(MATCH)).head != second.head:
                await asyncio.sleep(0)
        assert await subject.append(second) == Appended(subject.offered, duplicate=True)
        await subject.holds_only(first, second)
