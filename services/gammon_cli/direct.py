"""`gammon direct`: rule on a match as its director."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from typing import Annotated

import typer

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.screen import OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told
from gammon_cli.stored_match import match_service
from gammon_client.match_client import DirectorRuling
from gammon_engine.referee.actions import EndSession, Forfeit, Scope, SetScore, VoidGame
from gammon_wire.actions import action_to_proto
from gammon_wire.points import are_carried, points_to_proto

POINTS = re.compile(r"-?\d{1,18}(/[1-9]\d{0,2})?")
RULINGS = (
    "void | score A B … | forfeit SEAT | end-session | take-back SEQUENCE | pause | resume | replace SEAT PLAYER "
    "| close"
)


class Reason(Enum):
    """Why a director rules."""

    REQUEST = "request"
    TECHNICAL = "technical"
    CORRECTION = "correction"
    PENALTY = "penalty"
    ABSENCE = "absence"


def direct(
    match: Annotated[str, typer.Argument(help="Match id.")],
    ruling: Annotated[list[str], typer.Argument(metavar="RULING…", help=RULINGS)],
    reason: Annotated[Reason, typer.Option(help="Why; everybody at the table sees it.", show_default=False)],
    level: Annotated[
        int | None,
        typer.Option(min=1, max=3, help="Forfeit of a game of two: at which level; 2 is a gammon."),
    ] = None,
    whole_match: Annotated[bool, typer.Option("--match", help="Forfeit: the whole match instead of the game.")] = False,
    crawford_played: Annotated[bool, typer.Option(help="Score: the Crawford game has been played.")] = False,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Rule on a match: void the game, set the score, forfeit, end the session, take back, pause, replace, close.

    A match is taken back to the end of a batch: a sequence that `gammon replay`
    shows. Scores that begin with a minus come behind `--`.
    """
    read = read_ruling(ruling, level, whole_match, crawford_played)
    with told():
        done = asyncio.run(_direct(read_endpoints(endpoints, tls_ca), match, read, reason))
    last = done.events[-1]
    if as_json:
        print_json({"match": match, "sequence": last.sequence, "hash": last.hash.hex()})
    else:
        OUT.print(f"Stored up to event {last.sequence}.", highlight=False)


def read_ruling(words: Sequence[str], level: int | None, whole_match: bool, crawford_played: bool) -> DirectorRuling:
    """The ruling that the words name. Raises BadParameter."""
    kind = words[0] if words else ""
    if (level is not None or whole_match) and kind != "forfeit":
        raise typer.BadParameter("is for a forfeit", param_hint="--level" if level is not None else "--match")
    if crawford_played and kind != "score":
        raise typer.BadParameter("is for a score", param_hint="--crawford-played")
    match list(words):
        case ["void"]:
            return action_to_proto(VoidGame())
        case ["score", *scores] if scores:
            return action_to_proto(SetScore(tuple(map(_points, scores)), crawford_played))
        case ["forfeit", seat]:
            scope = Scope.MATCH if whole_match else Scope.GAME
            return action_to_proto(Forfeit(_seat(seat), scope, level))
        case ["end-session"]:
            return action_to_proto(EndSession())
        case ["take-back", sequence]:
            return pb.TakeBackRuling(to_sequence=_sequence(sequence))
        case ["pause"]:
            return pb.PauseRuling()
        case ["resume"]:
            return pb.ResumeRuling()
        case ["replace", seat, player]:
            return pb.ReplaceRuling(seat=_seat(seat, "replace"), player=player)
        case ["close"]:
            return pb.CloseRuling()
    raise typer.BadParameter(f"{RULINGS}; got {' '.join(words)!r}", param_hint="RULING")


def _points(text: str) -> Fraction:
    points = Fraction(text) if POINTS.fullmatch(text) else None
    if points is None or not are_carried(points_to_proto((points,))):
        raise typer.BadParameter(f"points are whole, halves or thirds; got {text!r}", param_hint="score")
    return points


def _seat(text: str, ruling: str = "forfeit") -> int:
    if text not in ("0", "1", "2", "3"):
        raise typer.BadParameter(f"seats are 0 to 3, got {text!r}", param_hint=ruling)
    return int(text)


def _sequence(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise typer.BadParameter(f"a sequence is a number, got {text!r}", param_hint="take-back")
    return int(text)


async def _direct(endpoints: Endpoints, match: str, ruling: DirectorRuling, reason: Reason) -> pb.DirectMatchResponse:
    async with match_service(endpoints) as client:
        return await client.direct_match(
            match, ruling, events_pb2.DirectorReason.Value(f"DIRECTOR_REASON_{reason.name}")
        )
