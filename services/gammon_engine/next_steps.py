"""The steps open next to somebody who builds a play step by step."""

from __future__ import annotations

from dataclasses import dataclass

from gammon_engine.play import Step
from gammon_engine.position import Position


@dataclass(frozen=True, slots=True)
class NextSteps:
    """After the steps chosen so far: `steps` that lead on to some legal play, and where the board stands now.

    `complete` says that what is chosen is a legal play as it is; then `steps` is empty.
    """

    steps: tuple[Step, ...]
    position: Position
    complete: bool
