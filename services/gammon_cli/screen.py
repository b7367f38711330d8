"""What all commands share at the terminal: plain output when piped, one way to say what went wrong."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from gammon_cli.endpoints import NoEndpoints
from gammon_cli.receipts import BadReceipts
from gammon_client.errors import LedgerError
from gammon_engine.violation import Fault
from gammon_shell.errors import RefusedToStart

NAME = "gammon"
# What an audit or a status check found wrong is 1; what kept a command from doing its work is 2.
FOUND_WRONG = 1
NOT_DONE = 2
LAST_LOG_LINES = 15

# Rich leaves colours out where the output is no terminal.
OUT = Console()
ERR = Console(stderr=True)

EndpointsOption = Annotated[
    Path | None,
    typer.Option("--endpoints", envvar="GAMMON_ENDPOINTS", help="File that `gammon up` wrote.", show_default=".data/…"),
]
TlsCaOption = Annotated[
    Path | None,
    typer.Option(
        "--tls-ca",
        envvar="GAMMON_TLS_CA",
        help="PEM file of the authority whose certificates the services show.",
        show_default="what the endpoints file says",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


def program() -> str:
    """What to type for this program: its name where a shell finds that, else the way it was called."""
    called = Path(sys.argv[0])
    return str(called) if called.name == NAME and shutil.which(NAME) is None else NAME


def print_json(value: Any) -> None:
    """One line of JSON, without any markup."""
    typer.echo(json.dumps(value, separators=(",", ":")))


def refuse(fault: Fault) -> NoReturn:
    """Ends a command whose arguments the law does not allow, with exit code 2."""
    field = fault.field.rpartition(".")[2]
    _complain(f"gammon: {field}: {fault.reason} (rule {fault.rule}), got {fault.value}")
    raise typer.Exit(NOT_DONE)


@contextmanager
def told(log: Path | None = None) -> Iterator[None]:
    """Turns what can go wrong outside this program into one sentence and exit code 2.

    `log`: where child processes say why they did not start; what they added to it is shown.
    """
    before = _size(log)
    try:
        yield
    except LedgerError as error:
        _complain(f"gammon: {error}")
        for fault in error.fields:
            _complain(f"  {fault.field}: {fault.description}")
    except (NoEndpoints, BadReceipts, RefusedToStart) as error:
        _complain(f"gammon: {error}")
        if log is not None and _size(log) > before:
            added = log.read_bytes()[before:].decode(errors="replace").splitlines()
            _complain("\n".join(added[-LAST_LOG_LINES:]))
    else:
        return
    raise typer.Exit(NOT_DONE)


def _size(log: Path | None) -> int:
    return log.stat().st_size if log is not None and log.exists() else 0


def _complain(text: str) -> None:
    ERR.print(text, style="red", markup=False, highlight=False, soft_wrap=True)
