"""`gammon presets`, `gammon create` and `gammon invite`: what is asked for is what is made, and others get to it."""

import json
from pathlib import Path

import pytest
import typer
from tests.cli.command import gammon
from tests.e2e.play import clients
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_cli.create import Changes, with_changes
from gammon_cli.endpoints import Endpoints

NOTHING = Changes(None, None, (), (), False, False, False, False)


def preset(points: int = 0) -> settings_pb2.MatchSettings:
    """A match to so many points with two minutes each, or a session."""
    settings = settings_pb2.MatchSettings()
    settings.rules.seats = 2
    if points:
        settings.rules.match.points = points
        settings.clock.kind = settings_pb2.CLOCK_KIND_DELAY
        settings.clock.reserve.seconds = 120 * points
    else:
        settings.rules.session.games = 7
    return settings


def changed(settings: settings_pb2.MatchSettings, **changes: object) -> settings_pb2.MatchSettings:
    given = {name: changes.get(name, getattr(NOTHING, name)) for name in Changes.__slots__}
    return with_changes(settings, Changes(**given))  # type: ignore[arg-type]


def test_what_is_not_said_is_as_in_the_preset() -> None:
    assert changed(preset(7)) == preset(7)


def test_the_reserve_follows_the_points() -> None:
    settings = changed(preset(7), points=11)
    assert (settings.rules.match.points, settings.clock.reserve.seconds) == (11, 1320)
    assert changed(preset(), games=3).rules.session.games == 3
    assert changed(preset(), games=0).rules.session.games == 0


def test_seats_by_their_order() -> None:
    seats = changed(preset(7), players=("-", "bob"), invited=True).seats
    assert [(seat.player, seat.invited) for seat in seats] == [("", True), ("bob", False)]
    assert [seat.player for seat in changed(preset(7), players=("alice",)).seats] == ["alice", ""]


@pytest.mark.parametrize(
    ("settings", "changes"),
    [(preset(7), {"games": 3}), (preset(), {"points": 3}), (preset(7), {"players": ("a", "b", "c")})],
)
def test_what_does_not_fit_the_preset_is_refused(
    settings: settings_pb2.MatchSettings, changes: dict[str, object]
) -> None:
    with pytest.raises(typer.BadParameter):
        changed(settings, **changes)


async def test_a_match_is_made_and_others_get_to_its_seats(own_suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(own_suite.token("owner", "player"))
    rules, target, rating = (own_suite.target(role) for role in ("rules", "match", "rating"))
    Endpoints(rules, target, rating, str(tmp_path / "token")).write(tmp_path / "endpoints.json")
    there = ("--endpoints", str(tmp_path / "endpoints.json"))

    shown = gammon("presets", *there)
    assert shown.returncode == 0, shown.stderr
    assert max(map(len, shown.stdout.splitlines())) <= 80
    listed = [json.loads(line) for line in gammon("presets", "--json", *there).stdout.splitlines()]
    assert all(f" {preset['name']} " in shown.stdout for preset in listed)
    only = gammon("presets", "--game", "rungammon", "--json", *there).stdout.splitlines()
    assert [json.loads(line)["name"] for line in only] == [
        "rungammon-match",
        "rungammon-money-session",
        "rungammon-correspondence",
    ]

    options = ("--points", "1", "--player", "alice", "--tag", "cup", "--private", "--rated", "--take-backs")
    made = gammon("create", "backgammon-match", *options, "--json", *there)
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    async with clients(own_suite, "alice") as (alice,):
        match = await alice.get_match(told["match"])
        agreed = match.settings
        assert match.settings_sha256.hex() == told["settings_sha256"]
        assert (agreed.rules.match.points, list(agreed.tags), agreed.clock.reserve.seconds) == (1, ["cup"], 120)
        assert (agreed.private, agreed.rated, agreed.take_backs) == (True, True, True)
        assert [seat["player"] for seat in told["seats"]] == ["alice", ""]
        assert told["seats"][0]["invitation"] == ""
        await alice.take_seat(match)
        join = ("play", "--join", match.match_id, "--seat", "1")
        refused = gammon(*join, *there, stdin=b"q\n")
        assert refused.returncode == 2
        assert "BAD_INVITATION" in refused.stderr
        again = json.loads(gammon("invite", match.match_id, "1", "--json", *there).stdout)
        assert again["invitation"] == told["seats"][1]["invitation"]
        sat = gammon(*join, "--invitation", again["invitation"], *there, stdin=b"q\n")
        assert sat.returncode == 0, sat.stderr
        assert (await alice.get_match(match.match_id)).status == events_pb2.MATCH_STATUS_PLAYING
    taken = gammon("invite", match.match_id, "1", *there)
    assert (taken.returncode, "SEAT_TAKEN" in taken.stderr) == (2, True)

    told_to_people = gammon("create", "trackgammon-money-session-3", "--player", "-", "--player", "bob", *there)
    lines = told_to_people.stdout.splitlines()
    match_id = lines[0].split()[1].rstrip(".")
    assert lines[1:] == [
        "Seat 0 is open to whoever types:",
        f"  gammon play --join {match_id} {' '.join(there)}",
        "Seat 1 is for bob, who types:",
        f"  gammon play --join {match_id} --player bob {' '.join(there)}",
        "Seat 2 is open to whoever types:",
        f"  gammon play --join {match_id} {' '.join(there)}",
    ]
    unknown = gammon("create", "chess-match", *there)
    assert (unknown.returncode, "gammon presets" in unknown.stderr) == (2, True)
