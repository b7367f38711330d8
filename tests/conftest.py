"""Fixtures for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from tests.e2e.reach import Reachable, given_suite
from tests.e2e.suite import Suite
from tests.stores import any_store

# Another suite to talk to than processes of ours.
GIVEN = given_suite()


def pytest_report_header() -> str | None:
    """Says which tests a given suite leaves out."""
    if GIVEN is None:
        return None
    return (
        f"suite: given, match at {GIVEN.target()}. Tests that start or kill processes, or look into the store, or need "
        "no suite at all, are deselected: they run where no suite is given."
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Against a given suite, keeps the tests that only talk to it."""
    if GIVEN is None:
        return
    own = {"local_suite", "own_suite", "store_url", "clean_store"}
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        (kept if "suite" in fixtures and not fixtures & own else left_out).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def store_url() -> Iterator[str]:
    """A real Redis or Valkey, shared by all tests."""
    with any_store() as url:
        yield url


@pytest.fixture
def clean_store(store_url: str) -> str:
    """The same, emptied. The suite that tests share has another database of it."""
    with redis.Redis.from_url(store_url) as client:
        client.flushdb()
    return store_url


@pytest.fixture(scope="session")
def local_suite(store_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    """All roles as processes of ours, started once, on a store that tests may look into and change."""
    url = store_url.removesuffix("/0") + "/1"
    with redis.Redis.from_url(url) as client:
        client.flushdb()
    started = Suite(tmp_path_factory.mktemp("suite"), url)
    try:
        yield started.start()
    finally:
        started.stop()


@pytest.fixture(scope="session")
def suite(request: pytest.FixtureRequest) -> Reachable:
    """All roles, for tests that only talk to them; each makes matches of its own."""
    given = given_suite()
    if given is not None:
        return given
    local: Suite = request.getfixturevalue("local_suite")
    return local


@pytest.fixture
def own_suite(tmp_path: Path) -> Iterator[Suite]:
    """All roles and a Valkey of the test's own, to be killed."""
    started = Suite(tmp_path)
    try:
        yield started.start()
    finally:
        started.stop()
