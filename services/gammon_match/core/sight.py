"""Who looks at matches."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks. `official`: an operator, auditor or service, from whom nothing is hidden."""

    player: str
    official: bool = False
