"""The long runs of `python -m tests.soak`, small: what they demand of a thousand watchers holds for a few as well."""

from tests.e2e.suite import Suite
from tests.soak import cancels, watchers
from tests.soak.watchers import Show


async def test_fast_slow_and_reconnecting_watchers_see_every_event_once_and_in_order(own_suite: Suite) -> None:
    show = Show(watchers=60, slow=6, reconnecting=3, seconds=16, acts_per_s=15, pause_s=14)
    figures = await watchers.run(own_suite, show)
    assert figures.faults(show) == []
    assert figures.reconnects > 20


async def test_g1_of_a_thousand_cancelled_watches_nothing_is_left(own_suite: Suite) -> None:
    own_suite.kill("rating")  # it reads the feeds
    left, before, after = await cancels.run(own_suite, watches=1000, batch=200)
    assert cancels.faults(left, before, after) == []
