"""docs/cases.md names tests that exist and bear the number of their case, for every case that concerns the services."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CASES = (
    *("C18", "C19", "C21", "C22", "C24", "C25", "C26"),
    *("S1", "S3", "S4", "S5", "S7", "S8", "S9", "S11", "S12", "S13", "S15", "S16", "S18", "S19", "S20", "S21"),
    "G1",
)
ROW = re.compile(r"\| ([A-Z]\d+) \| (.+) \| (.*) \|")
NODE = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def rows() -> Iterator[tuple[str, list[tuple[str, str]], str]]:
    """Each case with its tests, file and name, and with what is said beside them."""
    for line in (ROOT / "docs" / "cases.md").read_text().splitlines():
        found = ROW.fullmatch(line)
        if found is not None:
            case, _, shown = found.groups()
            yield case, NODE.findall(shown), NODE.sub("", shown).strip()


def test_every_case_has_one_row_with_tests_or_a_reason_why_not() -> None:
    assert tuple(case for case, _, _ in rows()) == CASES
    for case, tests, said in rows():
        # Beside tests there is nothing to say; without any there is.
        assert bool(tests) != bool(said), case


@pytest.mark.parametrize(
    ("case", "file", "name"), [(case, file, name) for case, tests, _ in rows() for file, name in tests]
)
def test_a_test_that_is_named_exists_and_bears_the_number(case: str, file: str, name: str) -> None:
    module = ast.parse((ROOT / file).read_text())
    functions = (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    (found,) = [function for function in functions if function.name == name]
    told = f"{name.replace('_', ' ')} {ast.get_docstring(found)} {ast.get_docstring(module)}"
    assert re.search(rf"\b{case}\b", told, re.IGNORECASE), f"{file}::{name} does not say that it is about {case}"
