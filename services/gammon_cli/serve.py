"""`gammon serve`: one role in this process, as `python -m` would run it."""

from __future__ import annotations

import runpy
from enum import StrEnum
from typing import Annotated

import typer


class Role(StrEnum):
    """The roles of the suite."""

    RULES = "rules"
    MATCH = "match"
    RATING = "rating"


def serve(role: Annotated[Role, typer.Argument(help="What to serve.")]) -> None:
    """Serve one role, told by its GAMMON_ variables."""
    runpy.run_module(f"gammon_{role.value}", run_name="__main__", alter_sys=True)
