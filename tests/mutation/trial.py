"""One mutant on trial: a forked process that sees one module of the law changed, and runs tests until one fails."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.abc import MetaPathFinder
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, ModuleType

import hypothesis
import pytest

ROOT = Path(__file__).parents[2]
SERVICES = ROOT / "services"
ENGINE = SERVICES / "gammon_engine"
TESTS = ROOT / "tests" / "engine"

# Some mutants go on for ever, and eat memory doing so.
_MOST_MEMORY = 2 << 30
_LONGEST_IMPORT = 60.0

# Plain asserts, so that nothing is rewritten anew for each mutant; fixtures of the whole suite are not needed here.
OPTIONS = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "--confcutdir", str(TESTS), "--rootdir", str(ROOT))


class End(Enum):
    """How a trial ends. All but SURVIVED and ABSENT say that the tests notice the mutant."""

    ASSERTION = "an assertion failed"
    ERROR = "a test raised"
    IMPORT = "the tests could not be imported"
    CRASH = "the process ended"
    TIME = "the time ran out"
    SURVIVED = "survived"
    ABSENT = "a test named for it does not exist"


@dataclass(frozen=True, slots=True)
class Trial:
    """The engine with the text `source` for its file `path`, before `tests` in this order.

    `tests` are node ids from the project's root, each with the seconds of processor it may take.
    """

    path: Path
    source: str
    tests: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a trial ended; `test` is the one that failed or is absent, if one is."""

    end: End
    test: str = ""


def prepare() -> None:
    """What all trials share, done once before they fork: found examples, not shrunk, the same ones every time."""
    sys.path[:0] = [str(SERVICES), str(ROOT)]
    os.chdir(ROOT)
    hypothesis.settings.register_profile(
        "mutants",
        database=None,
        derandomize=True,
        deadline=None,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("mutants")


def run(trial: Trial, answer: Connection) -> None:
    """Run a trial in this process, which ends with it, and send its verdict."""
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as the process
    sys.meta_path.insert(0, _InPlaceOf(trial.path, trial.source))
    verdict = _judge(trial.tests)
    _end_after(0)
    answer.send(verdict)


def _judge(tests: Mapping[str, float]) -> Verdict:
    witness = _Witness(tests)
    _end_after(_LONGEST_IMPORT)
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    pytest.main([*OPTIONS, *files], plugins=[witness])
    if witness.failed is not None:
        return witness.failed
    absent = next((test for test in tests if test not in witness.passed), None)
    return Verdict(End.SURVIVED) if absent is None else Verdict(End.ABSENT, absent)


def _end_after(seconds: float) -> None:
    """End this process after so much work, by a signal nobody handles: a mutant may be lost in one endless sum."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


class _Witness:
    """A pytest plugin: the tests to run, in their order, and what becomes of them."""

    def __init__(self, tests: Mapping[str, float]) -> None:
        self._limits = tests
        self._order = {test: index for index, test in enumerate(tests)}
        self.passed: set[str] = set()
        self.failed: Verdict | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = Verdict(End.IMPORT, report.nodeid)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        _end_after(self._limits[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.failed and call.excinfo is not None:
            asserted = issubclass(call.excinfo.type, AssertionError | pytest.fail.Exception)
            self.failed = Verdict(End.ASSERTION if asserted else End.ERROR, item.nodeid)
        elif report.when == "call" and report.passed:
            self.passed.add(item.nodeid)
        return report


class _InPlaceOf(MetaPathFinder):
    """Finds one module of the engine with another source than its file has."""

    def __init__(self, path: Path, source: str) -> None:
        parts = path.relative_to(SERVICES).with_suffix("").parts
        self._name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        self._path, self._source = path, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        loader = _Loader(fullname, str(self._path), self._source)
        return importlib.util.spec_from_file_location(fullname, self._path, loader=loader)


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, source: str) -> None:
        super().__init__(fullname, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        """Compiles the other source, whatever is cached for the file."""
        return compile(self._source, self.path, "exec", dont_inherit=True)
