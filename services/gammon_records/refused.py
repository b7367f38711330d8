"""Why a record is not taken, as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refused:
    """The line of the file, from 1, and what is wrong there, in words."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that was read in a way worth telling: the line of the file, from 1, and what."""

    line: int
    text: str
