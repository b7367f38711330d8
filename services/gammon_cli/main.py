"""The `gammon` command: starts the suite, plays on it, looks into it, and checks what it holds."""

from __future__ import annotations

import sys

import typer

from gammon_cli.audit import audit
from gammon_cli.board import board
from gammon_cli.create import create, invite
from gammon_cli.demo import demo
from gammon_cli.direct import direct
from gammon_cli.export import export
from gammon_cli.import_files import import_files
from gammon_cli.index import index
from gammon_cli.lobby import lobby
from gammon_cli.matches import matches
from gammon_cli.play.command import play
from gammon_cli.plays import answer_lines
from gammon_cli.presets import presets
from gammon_cli.ratings import ratings
from gammon_cli.referee import judge_scripts
from gammon_cli.replay import replay
from gammon_cli.serve import serve
from gammon_cli.status import status
from gammon_cli.token import token
from gammon_cli.up import up
from gammon_cli.watch import watch

app = typer.Typer(
    name="gammon",
    help="Play, run, replay and audit matches of the backgammon family.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


@app.command()
def plays() -> None:
    """Answer positions and rolls (JSON lines from standard input) with all their legal plays."""
    answer_lines(sys.stdin.buffer, sys.stdout)


@app.command()
def referee() -> None:
    """Judge scripts of play (JSON lines from standard input) action by action."""
    judge_scripts(sys.stdin.buffer, sys.stdout)


app.command()(play)
app.command()(presets)
app.command()(create)
app.command()(invite)
app.command()(board)
app.command()(up)
app.command()(status)
app.command()(serve)
app.command()(token)
app.command()(matches)
app.command()(lobby)
app.command()(replay)
app.command()(watch)
app.command()(audit)
app.command()(direct)
app.command()(index)
app.command()(ratings)
app.command("import")(import_files)
app.command()(export)
app.command()(demo)


def main() -> None:
    """Runs the command line."""
    app()


if __name__ == "__main__":
    main()
