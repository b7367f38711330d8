"""Hand-written mutants: for each paragraph of rules.md, ways to break it that a test of that paragraph must notice.

`make mutants` breaks the law in each of these ways and runs the one test named beside it, which must fail.
"""

from __future__ import annotations

from tests.engine.mutant_tables import (
    backgammon,
    catchgammon,
    common_terms,
    cube_and_stakes,
    leaving,
    matches,
    rungammon,
    text,
    trackgammon,
)
from tests.mutation.mutant import Mutant

# How many paragraphs each section of rules.md has.
SECTIONS = {1: 11, 2: 4, 3: 6, 4: 7, 5: 16, 6: 12, 7: 6, 8: 6, 9: 6}
PARAGRAPHS = [f"{section}.{number}" for section, count in SECTIONS.items() for number in range(1, count + 1)]

MUTANTS: tuple[Mutant, ...] = (
    *common_terms.MUTANTS,
    *backgammon.MUTANTS,
    *catchgammon.MUTANTS,
    *rungammon.MUTANTS,
    *trackgammon.MUTANTS,
    *cube_and_stakes.MUTANTS,
    *matches.MUTANTS,
    *leaving.MUTANTS,
    *text.MUTANTS,
)
