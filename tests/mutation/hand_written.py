"""Runs every hand-written mutant against the one test that must notice it: `make mutants`.

`python -m tests.mutation.hand_written [paragraph ...]`.
"""

from __future__ import annotations

import sys
from difflib import unified_diff

from rich.console import Console
from tests.engine.mutants import MUTANTS, PARAGRAPHS
from tests.mutation.forked import verdicts, with_progress
from tests.mutation.mutant import Mutant
from tests.mutation.trial import ENGINE, End, Trial, prepare

# No killing test needs more than a few seconds.
_LIMIT = 60.0


def main() -> int:
    """Prints the mutants that live on; 0 if there are none."""
    console = Console(highlight=False)
    prepare()
    mutants = [mutant for mutant in MUTANTS if mutant.paragraph in (sys.argv[1:] or PARAGRAPHS)]
    # First the law as it is: a test that fails anyhow notices nothing.
    tests = dict.fromkeys((mutant.node_id for mutant in mutants), _LIMIT)
    untouched = Trial(ENGINE / "__init__.py", (ENGINE / "__init__.py").read_text(encoding="utf-8"), tests)
    trials = [Trial(ENGINE / mutant.file, mutant.source(), {mutant.node_id: _LIMIT}) for mutant in mutants]
    ((_, clean),) = verdicts([untouched])
    if clean.end is not End.SURVIVED:
        console.print(
            f"the killing tests do not pass on the law as it is: {clean.end.value} {clean.test}", markup=False
        )
        return 1
    found = with_progress("hand-written mutants", trials, console)
    living = [(mutant, verdict.end) for mutant, verdict in zip(mutants, found, strict=True) if not _killed(verdict.end)]
    for mutant, end in living:
        console.print(f"\n{mutant.paragraph}: {end.value}; {mutant.node_id}", markup=False)
        console.print(_difference(mutant), markup=False)
    console.print(f"{len(mutants)} mutants, {len(mutants) - len(living)} killed by the test that names their paragraph")
    return 1 if living else 0


def _killed(end: End) -> bool:
    """Only an assertion speaks of the law; a test that crashes may never have asked."""
    return end is End.ASSERTION


def _difference(mutant: Mutant) -> str:
    before = (ENGINE / mutant.file).read_text(encoding="utf-8").splitlines()
    return "\n".join(unified_diff(before, mutant.source().splitlines(), mutant.file, mutant.file, n=0, lineterm=""))


if __name__ == "__main__":
    sys.exit(main())
