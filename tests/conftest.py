"""Fixtures for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from tests.e2e.suite import Suite
from tests.stores import any_store


@pytest.fixture(scope="session")
def store_url() -> Iterator[str]:
    """A real Redis or Valkey, shared by all tests."""
    with any_store() as url:
        yield url


@pytest.fixture
def clean_store(store_url: str) -> str:
    """The same, emptied."""
    with redis.Redis.from_url(store_url) as client:
        client.flushdb()
    return store_url


@pytest.fixture(scope="session")
def suite(store_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    """All roles, started once; each test makes matches of its own."""
    with redis.Redis.from_url(store_url) as client:
        client.flushdb()
    started = Suite(tmp_path_factory.mktemp("suite"), store_url)
    try:
        yield started.start()
    finally:
        started.stop()


@pytest.fixture
def own_suite(tmp_path: Path) -> Iterator[Suite]:
    """All roles and a Valkey of the test's own, to be killed."""
    started = Suite(tmp_path)
    try:
        yield started.start()
    finally:
        started.stop()
