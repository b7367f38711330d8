"""Why something is refused, as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: `rule` is a paragraph number of rules.md, `field` and `value` name what broke it."""

    rule: str
    reason: str
    field: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong field of what was sent. All faults of a message are reported at once."""

    field: str
    value: str
    rule: str
    reason: str
