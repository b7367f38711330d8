"""Which tests run which lines of the engine, and how much work each is."""

from __future__ import annotations

import ast
import multiprocessing
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path

import coverage
import pytest
from tests.mutation.forked import AT_ONCE
from tests.mutation.made import Site
from tests.mutation.trial import ENGINE, OPTIONS, TESTS

# A mutant may make a test this much slower, and no more.
_PATIENCE, _AT_LEAST = 5.0, 10.0

# Either asks nothing of the law, or asks of many long games what its neighbours ask of a few, for more time than all
# others together.
_LEFT_OUT = (
    "test_mutants.py",
    "test_bench_cases.py::test_the_measurement",
    "test_track_witnesses.py::test_random_games_keep_the_discs",
)


@dataclass(slots=True)
class Covering:
    """`tests[path][line]` are the node ids that run a line, `seconds` how much of a processor each took."""

    tests: dict[str, dict[int, set[str]]]
    seconds: dict[str, float]

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
    """Run all tests of the engine once, in processes of their own, and see.

    Raises:
        RuntimeError: a test does not pass on the law as it is; what pytest says of it.
    """
    fork = multiprocessing.get_context("fork")
    files = sorted(map(str, TESTS.glob("test_*.py")))
    answers = []
    for share in range(AT_ONCE):
        answer, child_end = fork.Pipe(duplex=False)
        fork.Process(target=_measure, args=(files[share::AT_ONCE], child_end)).start()
        child_end.close()
        answers.append(answer)
    whole = Covering(defaultdict(lambda: defaultdict(set)), {})
    for answer in answers:
        found: Covering | str = answer.recv()
        if isinstance(found, str):
            raise RuntimeError(found)
        whole.seconds.update(found.seconds)
        for path, by_line in found.tests.items():
            for line, tests in by_line.items():
                whole.tests[path][line] |= tests
    return whole


def _measure(files: list[str], answer: Connection) -> None:
    said = sys.stdout = sys.stderr = StringIO()
    watched = coverage.Coverage(data_file=None, config_file=False, source=[str(ENGINE)], messages=False)
    watched.start()
    clock = _Clock(watched)
    left_out = [word for name in _LEFT_OUT for word in ("--deselect", f"tests/engine/{name}")]
    code = pytest.main([*OPTIONS, *left_out, *files], plugins=[clock])
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
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._watched.switch_context(item.nodeid)
        begun = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - begun
        self._watched.switch_context("")
        return result
