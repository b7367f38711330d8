"""300 mutants that a tool makes of the engine, drawn by lot: `make tool-mutants` prints those no test notices.

`python -m tests.mutation.tool_made [count]`.
"""

from __future__ import annotations

import sys
from collections import Counter
from difflib import unified_diff

from rich.console import Console
from tests.mutation.covering import measure
from tests.mutation.forked import with_progress
from tests.mutation.made import SEED, Made, sample
from tests.mutation.trial import ENGINE, SERVICES, End, Trial, prepare

COUNT = 300


def main() -> None:
    """Draws, runs, and prints the survivors with what was changed, and how the others ended."""
    console = Console(highlight=False)
    prepare()
    with console.status("running the tests of the engine once, to see what they cover"):
        covering = measure()
    with console.status("making mutants"):
        mutants = sample(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
    trials = [Trial(made.site.path, made.source, covering.trial_tests(made.site)) for made in mutants]
    verdicts = with_progress("tool-made mutants", trials, console)
    for made, trial, verdict in zip(mutants, trials, verdicts, strict=True):
        if verdict.end is End.SURVIVED:
            line, column = made.site.span[0]
            where = f"{made.site.path.relative_to(SERVICES)}:{line}:{column}"
            console.print(f"\n{where} {made.operator}, past {len(trial.tests)} tests", markup=False, soft_wrap=True)
            console.print(_difference(made), markup=False, soft_wrap=True)
    ends = Counter(verdict.end.value for verdict in verdicts)
    shown = ", ".join(f"{end}: {count}" for end, count in ends.most_common())
    console.print(f"\n{len(mutants)} mutants, seed {SEED!r}. {shown}", markup=False)


def _difference(made: Made) -> str:
    before = made.site.path.read_text(encoding="utf-8").splitlines()
    name = str(made.site.path.relative_to(ENGINE))
    return "\n".join([*unified_diff(before, made.source.splitlines(), name, name, n=0, lineterm="")][3:])


if __name__ == "__main__":
    main()
