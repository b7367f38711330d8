"""Which tests run which lines of the engine, and how long each takes."""

from __future__ import annotations

import ast
import multiprocessing
import sys
from collections import defaultdict
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path

import coverage
import pytest
from tests.mutation.made import Site
from tests.mutation.trial import ENGINE, OPTIONS, TESTS

# A mutant may make a test this much slower, and no more.
_PATIENCE, _AT_LEAST = 5.0, 10.0


@dataclass(slots=True)
class Covering:
    """`tests[path][line]` are the node ids that run a line, `seconds` how long each test took."""

    tests: dict[str, dict[int, set[str]]]
    seconds: dict[str, float] = field(default_factory=dict)

    def trial_tests(self, site: Site) -> dict[str, float]:
        """The tests that a change at the site can concern, quickest first, each with the seconds it may take."""
        found = self._running(site)
        return {
            test: max(_AT_LEAST, _PATIENCE * self.seconds[test]) for test in sorted(found, key=self.seconds.__getitem__)
        }

    def _running(self, site: Site) -> set[str]:
        """What runs the statement; for what runs on import, such as a table, all that runs any of the file."""
        by_line = self.tests.get(str(site.path), {})
        for lines in _around(site.path, site.span[0][0]):
            found = {test for line in lines for test in by_line.get(line, ())}
            if found:
                return found
        return set(self.seconds)


def _around(path: Path, line: int) -> Iterable[range]:
    """The lines of the innermost statement with this line, of its function, of the whole file."""
    tree = _tree(path)
    holding = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and line in _lines(node)]
    functions = [node for node in holding if isinstance(node, ast.FunctionDef)]
    if functions:
        statement = min(holding, key=lambda node: len(_lines(node)))
        yield _own_lines(statement)
        yield _lines(functions[-1])
    yield range(1, 1 << 20)


@lru_cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _own_lines(node: ast.stmt) -> range:
    """A statement without the statements in it."""
    inner = [child.lineno for child in ast.walk(node) if isinstance(child, ast.stmt) and child is not node]
    return range(node.lineno, min([*inner, (node.end_lineno or node.lineno) + 1]))


def measure() -> Covering:
    """Run all tests of the engine once, in a process of their own, and see.

    Raises:
        RuntimeError: a test does not pass on the law as it is; what pytest says of it.
    """
    fork = multiprocessing.get_context("fork")
    answer, child_end = fork.Pipe(duplex=False)
    process = fork.Process(target=_measure, args=(child_end,))
    process.start()
    child_end.close()
    found: Covering | str = answer.recv()
    process.join()
    if isinstance(found, str):
        raise RuntimeError(found)
    return found


def _measure(answer: Connection) -> None:
    said = sys.stdout = sys.stderr = StringIO()
    watched = coverage.Coverage(data_file=None, config_file=False, source=[str(ENGINE)], messages=False)
    watched.start()
    clock = _Clock(watched)
    # The tests of the tables of mutants ask nothing of the law.
    code = pytest.main([*OPTIONS, str(TESTS), "--ignore", str(TESTS / "test_mutants.py")], plugins=[clock])
    watched.stop()
    if code != pytest.ExitCode.OK:
        answer.send(said.getvalue())
        return
    data = watched.get_data()
    tests: dict[str, dict[int, set[str]]] = defaultdict(dict)
    for path in data.measured_files():
        for line, contexts in data.contexts_by_lineno(path).items():
            tests[path][line] = {context for context in contexts if context}
    answer.send(Covering(dict(tests), clock.seconds))


class _Clock:
    """A pytest plugin that gives each test its context, and notes how long it takes."""

    def __init__(self, watched: coverage.Coverage) -> None:
        self._watched = watched
        self.seconds: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._watched.switch_context(item.nodeid)
        result = yield
        self._watched.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
