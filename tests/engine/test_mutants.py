"""The hand-written mutants fit the law and the tests as they are. `make mutants` runs them."""

import re
import subprocess
import sys

import pytest
from tests.engine.mutants import MUTANTS, PARAGRAPHS
from tests.mutation.mutant import Mutant
from tests.mutation.trial import OPTIONS, ROOT

LAW = ROOT.parent / "shared" / "rules.md"


def names(test: str, paragraph: str) -> bool:
    """Whether a test has the number of a paragraph in its name: `test_1_4_...` or `[1.4 ...]`."""
    number = paragraph.replace(".", "[._]")
    return re.search(rf"(?<!\d)(?<!\d[._]){number}(?!\d)", test.partition("::")[2]) is not None


def test_every_paragraph_has_a_mutant() -> None:
    assert {mutant.paragraph for mutant in MUTANTS} == {*PARAGRAPHS}


@pytest.mark.skipif(not LAW.exists(), reason="rules.md is not beside the project")
def test_the_paragraphs_are_those_of_the_law() -> None:
    assert re.findall(r"^(\d\.\d+) ", LAW.read_text(encoding="utf-8"), re.MULTILINE) == PARAGRAPHS


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.paragraph} {mutant.file}")
def test_a_mutant_fits_its_file_and_names_its_paragraph(mutant: Mutant) -> None:
    compile(mutant.source(), mutant.file, "exec")
    assert mutant.fragment != mutant.replacement
    assert names(mutant.test, mutant.paragraph)


def test_every_killing_test_exists() -> None:
    tests = {mutant.node_id for mutant in MUTANTS}
    files = sorted({test.partition("::")[0] for test in tests})
    command = [sys.executable, "-m", "pytest", "--collect-only", *OPTIONS, *files]
    collected = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert not tests - {*collected}
