"""What every keeper of checkpoints must do. A test module supplies the `shelf` fixture."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from tests.contracts.batches import match_id

from gammon_match.app.checkpoints import Checkpoint, Checkpoints
from gammon_match.app.ports import Head
from gammon_match.core.table import Holder, Table
from gammon_match.core.table_events import ClockStamped, Preferences

MATCH, OTHER = match_id(1), match_id(2)
TABLE = Table(
    ((0, Holder("alice", b"key", Preferences(roll_without_choice=True))), (1, Holder("bob", b""))),
    seats_sequence=3,
    clock=ClockStamped((7_000_000_001, 0), (1,)),
    clock_sequence=60,
    absent=((1, 44),),
)


def at(sequence: int) -> Checkpoint:
    """A checkpoint there, that says more the later it is."""
    head = Head(sequence, sequence.to_bytes(32, "big"))
    return Checkpoint(head, bytes(32), sequence - 2, b"settings", "alice", 1_700, TABLE, 9, (), b"mark" * sequence)


@dataclass(frozen=True)
class Shelf:
    """A keeper of no checkpoints yet, and the bytes it keeps, behind the port."""

    checkpoints: Checkpoints
    kept: Callable[[str], Awaitable[bytes]]
    put: Callable[[str, bytes], Awaitable[None]]


class CheckpointsContract:
    """Inherit in a test module that has a `shelf` fixture."""

    async def test_what_is_saved_last_is_loaded_be_it_later_or_not(self, shelf: Shelf) -> None:
        assert await shelf.checkpoints.load(MATCH) is None
        for sequence in (60, 120, 5_000, 90):
            await shelf.checkpoints.save(MATCH, at(sequence))
            assert await shelf.checkpoints.load(MATCH) == at(sequence)

    async def test_each_match_has_its_own(self, shelf: Shelf) -> None:
        await shelf.checkpoints.save(MATCH, at(60))
        assert await shelf.checkpoints.load(OTHER) is None
        await shelf.checkpoints.save(OTHER, at(70))
        assert await shelf.checkpoints.load(MATCH) == at(60)

    async def test_nothing_is_kept_of_what_is_no_match(self, shelf: Shelf) -> None:
        for wrong in ("", "m_1", "m_128_AAAAAAAAAAAAAAAAAAAAAAAAAA", "m_003_} * {"):
            await shelf.checkpoints.save(wrong, at(60))
            assert await shelf.checkpoints.load(wrong) is None

    async def test_bytes_that_are_not_whole_are_none(self, shelf: Shelf) -> None:
        await shelf.checkpoints.save(MATCH, at(60))
        kept = await shelf.kept(MATCH)
        for wrong in (b"", kept[:-1], kept + b"\0", bytes(len(kept)), kept[:40] + b"\xff" + kept[41:]):
            await shelf.put(MATCH, wrong)
            assert await shelf.checkpoints.load(MATCH) is None
        await shelf.put(MATCH, kept)
        assert await shelf.checkpoints.load(MATCH) == at(60)
        await shelf.checkpoints.save(MATCH, replace(at(60), marks=b""))
        assert len(await shelf.kept(MATCH)) < len(kept)
