"""Finding matches: every combination of filters against a search through all logs, and what a page may cost."""

from collections.abc import AsyncIterator, Sequence
from itertools import product
from random import Random

import pytest
from tests.match.in_process import PLAYERS, Desk, match_to
from tests.match.shelves import (
    TAGS,
    Shelf,
    create,
    fill,
    found_by,
    from_log,
    give_seat,
    ids_beside,
    memory_shelf,
    real_shelf,
    set_preferences,
    sit,
)

from gammon.match.v1 import settings_pb2 as match_settings_pb2
from gammon.rules.v1 import settings_pb2
from gammon_match.adapters.partitions import partition_of
from gammon_match.app import finding as finding_module
from gammon_match.app.finding import FoundPage
from gammon_match.app.index import Row
from gammon_match.app.ports import Unreadable
from gammon_match.core.events import Status
from gammon_match.core.listing import TIMED, Listing, Wanted, of_status
from gammon_match.core.refusals import StoreAway
from gammon_match.core.sight import Viewer
from gammon_match.core.table_events import NO_PREFERENCES, Preferences

OFFICIAL = Viewer("director", official=True)


@pytest.fixture(params=["memory", "real"])
async def shelf(request: pytest.FixtureRequest) -> AsyncIterator[Shelf]:
    if request.param == "memory":
        yield memory_shelf()
        return
    async with real_shelf(request.getfixturevalue("clean_store")) as real:
        yield real


async def test_every_combination_of_filters_finds_what_the_logs_say(shelf: Shelf) -> None:
    desk = Desk(shelf.store)
    ids = await fill(desk, Random(5), 90)
    logs = [await from_log(shelf.store, match_id) for match_id in sorted(ids)]
    middle = sorted(log.created_ns for log in logs)[45]
    finding = shelf.finding(desk)
    hits = 0
    for player, tag, status, game, (since, before), viewer in product(
        ("", PLAYERS[0], "nobody"),
        ("", TAGS[2]),
        (None, *Status),
        (0, settings_pb2.GAME_TRACKGAMMON),
        ((None, None), (middle, None), (None, middle)),
        (OFFICIAL, Viewer(PLAYERS[0]), Viewer("stranger")),
    ):
        wanted = Wanted(player, tag, status, game, since, before)
        expected = [log.match_id for log in logs if log.fits(wanted, viewer)]
        assert await found_by(finding, wanted, viewer) == expected, (wanted, viewer)
        hits += len(expected)
    assert hits > 1000


async def test_pages_of_any_size_give_the_same(shelf: Shelf) -> None:
    desk = Desk(shelf.store)
    await fill(desk, Random(6), 40)
    finding = shelf.finding(desk)
    for wanted in (Wanted(), Wanted(player=PLAYERS[1]), Wanted(tag=TAGS[2], status=Status.PLAYING)):
        whole = await found_by(finding, wanted, OFFICIAL)
        for limit in (1, 2, 7):
            assert await found_by(finding, wanted, OFFICIAL, limit) == whole


async def test_a_page_costs_so_many_rows_and_the_next_goes_on(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding_module, "MOST_ROWS", 10)
    desk = Desk(shelf.store)
    await fill(desk, Random(7), 60)
    finding = shelf.finding(desk)
    wanted = Wanted(created_from_ns=desk.clock.ns)
    first = await finding.page(wanted, OFFICIAL, "", 100)
    assert isinstance(first, FoundPage)
    assert (first.found, bool(first.after)) == ([], True)
    [last] = await found_by(finding, wanted, OFFICIAL)
    assert (await from_log(shelf.store, last)).created_ns == desk.clock.ns


async def test_paging_while_matches_are_added_misses_none_and_repeats_none(shelf: Shelf) -> None:
    desk, random = Desk(shelf.store), Random(8)
    before = await fill(desk, random, 30)
    finding = shelf.finding(desk)
    ids: list[str] = []
    after = ""
    while True:
        page = await finding.page(Wanted(), OFFICIAL, after, 4)
        assert isinstance(page, FoundPage)
        ids += [found.match_id for found in page.found]
        if not page.after:
            break
        after = page.after
        await fill(desk, random, 3)
    assert ids == sorted(set(ids))
    assert set(before) <= set(ids)


async def test_a_player_replaced_or_a_seat_taken_moves_a_match_between_facets(shelf: Shelf) -> None:
    desk = Desk(shelf.store)
    settings = match_settings_pb2.MatchSettings(rules=match_to(3), private=True)
    settings.seats.extend((match_settings_pb2.SeatSettings(player="carol"), match_settings_pb2.SeatSettings()))
    live = await create(desk, settings, "alice", "make")
    finding = shelf.finding(desk)
    for player, finds in (("alice", True), ("carol", True), ("bob", False)):
        assert await found_by(finding, Wanted(player=player), OFFICIAL) == [live.match_id] * finds
        assert await found_by(finding, Wanted(), Viewer(player)) == [live.match_id] * finds
    await sit(desk, live, "bob", 1)
    assert await found_by(finding, Wanted(player="bob", status=Status.SEATING), Viewer("bob")) == [live.match_id]
    await sit(desk, live, "carol", 0)
    assert await found_by(finding, Wanted(status=Status.SEATING), OFFICIAL) == []
    assert await found_by(finding, Wanted(player="bob", status=Status.PLAYING), Viewer("carol")) == [live.match_id]
    await give_seat(desk, live, 1, "dave")
    assert await found_by(finding, Wanted(player="bob"), OFFICIAL) == []
    assert await found_by(finding, Wanted(), Viewer("bob")) == []
    assert await found_by(finding, Wanted(player="dave"), Viewer("dave")) == [live.match_id]


async def test_matches_that_somebody_must_time_are_found_by_partition_until_they_are_closed(shelf: Shelf) -> None:
    desk = Desk(shelf.store)
    settings = match_settings_pb2.MatchSettings(rules=match_to(1))
    settings.clock.kind = match_settings_pb2.CLOCK_KIND_FISCHER
    settings.clock.reserve.seconds = 60
    timed = await create(desk, settings, "alice", "timed")
    served = await create(desk, match_settings_pb2.MatchSettings(rules=match_to(1)), "alice", next(ids_beside(timed)))

    async def listed() -> list[Row]:
        partition = partition_of(timed.match_id)
        assert partition is not None
        rows = await shelf.index.page(partition, (TIMED,), "", 10)
        assert not isinstance(rows, Unreadable)
        return list(rows)

    assert await listed() == []
    await sit(desk, timed, "alice", 0)
    await sit(desk, timed, "bob", 1)
    assert [row.match_id for row in await listed()] == [timed.match_id]
    await sit(desk, served, "alice", 0)
    await sit(desk, served, "bob", 1)
    assert [row.match_id for row in await listed()] == [timed.match_id]
    await set_preferences(desk, served, 1, Preferences(play_forced=True))
    assert [row.match_id for row in await listed()] == sorted([timed.match_id, served.match_id])
    await set_preferences(desk, served, 1, NO_PREFERENCES)
    assert [row.match_id for row in await listed()] == [timed.match_id]
    await desk.play_out(timed)
    assert timed.match.status is Status.CLOSED
    assert await listed() == []
    assert served.match.status is Status.PLAYING


async def test_a_match_that_waits_for_dice_is_found_under_both_its_states() -> None:
    waiting = Listing(Status.AWAITING_DRAW, ("alice", ""), "bob", 1, (), 0, False, b"")
    facets = waiting.facets(timed=False)
    for status in Status:
        found = status in (Status.PLAYING, Status.AWAITING_DRAW)
        assert Wanted(status=status).takes(waiting) == (of_status(status) in facets) == found
    assert {"player:alice", "player:bob", "open"} <= facets
    assert "player:" not in facets


class IndexAway:
    """An index that does not answer."""

    async def page(self, partition: int, facets: Sequence[str], after: str, limit: int) -> Unreadable:
        return Unreadable("UNREACHED")

    async def rows(self, match_ids: Sequence[str]) -> Unreadable:
        return Unreadable("UNREACHED")

    async def heads(self, match_ids: Sequence[str]) -> Unreadable:
        return Unreadable("UNREACHED")


async def test_a_store_that_is_away_is_said_to_be() -> None:
    shelf = memory_shelf()
    finding = Shelf(shelf.store, IndexAway()).finding(Desk(shelf.store))
    assert await finding.page(Wanted(), OFFICIAL, "", 10) == StoreAway("UNREACHED")
