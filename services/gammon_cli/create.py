"""`gammon create` and `gammon invite`: a match from a preset, and how others get to its seats."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.screen import OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, program, told
from gammon_cli.stored_match import match_service
from gammon_client.match_client import MatchClient

NOBODY = "-"


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to be other than in the preset. `players` by seat; those who are missing, and `-`, leave it open."""

    points: int | None
    games: int | None
    players: tuple[str, ...]
    tags: tuple[str, ...]
    invited: bool
    private: bool
    rated: bool
    take_backs: bool


@dataclass(frozen=True, slots=True)
class Made:
    """A match that was made, and the invitations to those of its seats that need one, by seat."""

    match: pb.Match
    description: str
    invitations: dict[int, str]


def create(
    preset: Annotated[str, typer.Argument(help="Its name, as `gammon presets` shows it.")],
    points: Annotated[int | None, typer.Option(min=1, help="A match to so many points; the reserve follows.")] = None,
    games: Annotated[
        int | None, typer.Option(min=0, help="A session of so many games; 0: until a director ends it.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(help="For whom a seat is: the first is for seat 0, and so on; - leaves one open.", metavar="REF"),
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(help="For finding it, such as a tournament's id.")] = None,
    invited: Annotated[bool, typer.Option("--invited", help="Open seats are for those who are invited.")] = False,
    private: Annotated[
        bool, typer.Option("--private", help="Lobbies do not show it; open seats are as with --invited.")
    ] = False,
    rated: Annotated[bool, typer.Option("--rated", help="It counts for ratings.")] = False,
    take_backs: Annotated[bool, typer.Option("--take-backs", help="Plays go back when all seats consent.")] = False,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Create a match from a preset, and say how others get to its seats."""
    changes = Changes(points, games, tuple(player or ()), tuple(tag or ()), invited, private, rated, take_backs)
    with told():
        made = asyncio.run(_create(read_endpoints(endpoints, tls_ca), preset, changes))
    if as_json:
        print_json(_plain(made))
    else:
        _show(made, endpoints)


def invite(
    match: Annotated[str, typer.Argument(help="Match id.")],
    seat: Annotated[int, typer.Argument(min=0, max=3, help="An open seat.")],
    player: Annotated[str, typer.Option(help="Only for this player.", show_default="whoever brings it")] = "",
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Invite to an open seat of a match; the invitation is good until the seat is taken."""
    with told():
        invitation = asyncio.run(_invite(read_endpoints(endpoints, tls_ca), match, seat, player))
    if as_json:
        print_json({"match": match, "seat": seat, "player": player, "invitation": invitation})
    else:
        _say(f"  {_join(match, endpoints, player)} --seat {seat} --invitation {invitation}")


def with_changes(agreed: settings_pb2.MatchSettings, changes: Changes) -> settings_pb2.MatchSettings:
    """The settings of a preset with what is to be other. Raises BadParameter."""
    settings = settings_pb2.MatchSettings()
    settings.CopyFrom(agreed)
    rules = settings.rules
    if changes.points is not None:
        if not rules.HasField("match"):
            raise typer.BadParameter("the preset is a session; say --games", param_hint="--points")
        if settings.clock.HasField("reserve"):
            each = settings.clock.reserve.ToNanoseconds() // rules.match.points
            settings.clock.reserve.FromNanoseconds(each * changes.points)
        rules.match.points = changes.points
    if changes.games is not None:
        if not rules.HasField("session"):
            raise typer.BadParameter("the preset is a match; say --points", param_hint="--games")
        rules.session.games = changes.games
    if len(changes.players) > rules.seats:
        raise typer.BadParameter(f"the preset has {rules.seats} seats", param_hint="--player")
    settings.tags.extend(changes.tags)
    settings.private, settings.rated, settings.take_backs = changes.private, changes.rated, changes.take_backs
    if changes.players or changes.invited:
        for seat in range(rules.seats):
            named = changes.players[seat] if seat < len(changes.players) else NOBODY
            player = "" if named == NOBODY else named
            settings.seats.add(player=player, invited=changes.invited and not player)
    return settings


async def _create(endpoints: Endpoints, name: str, changes: Changes) -> Made:
    async with match_service(endpoints) as client:
        known = {preset.name: preset for preset in await client.presets()}
        preset = known.get(name)
        if preset is None:
            raise typer.BadParameter(f"no preset {name!r}; `gammon presets` shows all", param_hint="PRESET")
        match = await client.create_match(with_changes(preset.settings, changes))
        return Made(match, preset.description, await _invitations(client, match))


async def _invitations(client: MatchClient, match: pb.Match) -> dict[int, str]:
    """An invitation to each seat that nobody takes without."""
    agreed = list(match.settings.seats) or [settings_pb2.SeatSettings()] * match.settings.rules.seats
    private = match.settings.private
    needing = [seat for seat, own in enumerate(agreed) if not own.player and (own.invited or private)]
    return {seat: await client.invite_player(match.match_id, seat) for seat in needing}


async def _invite(endpoints: Endpoints, match: str, seat: int, player: str) -> str:
    async with match_service(endpoints) as client:
        return await client.invite_player(match, seat, player)


def _show(made: Made, endpoints: Path | None) -> None:
    match = made.match
    _say(f"Match {match.match_id}. Settings {match.settings_sha256.hex()}.")
    for seat in range(match.settings.rules.seats):
        player = match.settings.seats[seat].player if match.settings.seats else ""
        join = _join(match.match_id, endpoints, player)
        if player:
            _say(f"Seat {seat} is for {player}, who types:")
        elif seat in made.invitations:
            _say(f"Seat {seat} is for those who are invited, who type:")
            join += f" --seat {seat} --invitation {made.invitations[seat]}"
        else:
            _say(f"Seat {seat} is open to whoever types:")
        _say(f"  {join}")


def _join(match_id: str, endpoints: Path | None, player: str) -> str:
    named = f" --player {player}" if player else ""
    there = f" --endpoints {endpoints}" if endpoints is not None else ""
    return f"{program()} play --join {match_id}{named}{there}"


def _plain(made: Made) -> dict[str, object]:
    match = made.match
    seats = [
        {
            "player": match.settings.seats[seat].player if match.settings.seats else "",
            "invitation": made.invitations.get(seat, ""),
        }
        for seat in range(match.settings.rules.seats)
    ]
    return {"match": match.match_id, "settings_sha256": match.settings_sha256.hex(), "seats": seats}


def _say(text: str) -> None:
    """A line to be copied from: not folded."""
    OUT.print(text, markup=False, highlight=False, soft_wrap=True)
