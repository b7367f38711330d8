"""Fixtures of the fault tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.servers import Servers


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    started = Servers(tmp_path)
    yield started
    started.stop()
