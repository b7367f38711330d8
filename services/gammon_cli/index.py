"""`gammon index`: the index of matches checked against the logs, or made right, as `python -m` would do it."""

from __future__ import annotations

import os
import runpy
import sys
from enum import StrEnum
from typing import Annotated

import typer

from gammon_cli.endpoints import read_endpoints
from gammon_cli.screen import EndpointsOption, JsonOption, told

STORE = "GAMMON_REDIS_URL"


class Action(StrEnum):
    """What to do."""

    CHECK = "check"
    REBUILD = "rebuild"


def index(
    action: Annotated[Action, typer.Argument(help="Name what is wrong, or make it right as well.")],
    endpoints: EndpointsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check or rebuild the index of matches, of the store in GAMMON_REDIS_URL or else of the running suite."""
    if not os.environ.get(STORE):
        with told():
            os.environ[STORE] = read_endpoints(endpoints).store
    sys.argv = ["index", action.value, *(["--json"] if as_json else [])]
    runpy.run_module("gammon_match.index", run_name="__main__", alter_sys=True)
