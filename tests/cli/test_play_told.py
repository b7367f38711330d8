"""How it stands and who is who, as `gammon play` tells it."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import typer
from tests.cli.sights import MATCH, MIXED, SESSION, THREE, after, opening, to_roll

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import play_pb2
from gammon_cli.main import app
from gammon_cli.play.seating import how_to_take
from gammon_cli.play.telling import header, name_of, price, result
from gammon_cli.play.wanted import Wanted
from gammon_engine.referee import actions as act
from gammon_engine.referee.state import Crawford, Ended, Over
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings
from gammon_engine.violation import Fault
from gammon_wire.settings import settings_from_proto

ONE = Fraction(1)


def test_the_header_tells_game_score_and_cube_in_80_columns() -> None:
    assert header(MATCH, opening().state, 0) == "game 1   X 0  O 0 to 5   cube 1   you are X"
    taken = after(to_roll(), act.Double(0), act.Take(1)).state
    assert header(MATCH, taken, 1) == "game 1   X 0  O 0 to 5   cube 2 with O   you are O"
    stood = after(to_roll(THREE), act.Double(0), act.Stay(1), act.Stay(2)).state
    assert header(THREE, stood, 2) == "game 1   X 0  O 0  Y 0   cube 2 by X   you are Y"
    left = after(to_roll(THREE), act.Double(0), act.Leave(1), act.Stay(2)).state
    assert header(THREE, left, 1) == "game 1   X 0  O 0 out  Y 0   cube 2 by X   you are O"
    single = Settings(GameId.BACKGAMMON, MatchPlay(1))
    assert "no cube" in header(single, opening(single).state, 0)
    crawford = replace(opening().state, score=(4 * ONE, ONE), crawford=Crawford.NOW)
    assert "X 4  O 1 to 5   Crawford game" in header(MATCH, crawford, 0)
    assert header(MIXED, opening(MIXED).state, 0).startswith("game 1   backgammon   X 0  O 0 to 9")
    of_four = Settings(GameId.TRACKGAMMON, SessionPlay(games=3), seats=4)
    late = replace(opening(of_four).state, game_number=3, score=(-ONE / 2, ONE / 2, -12 * ONE, 12 * ONE))
    told = header(of_four, late, 3)
    assert told == "game 3 of 3   X -1/2  O +1/2  Y -12  Z +12   cube 1   you are Z"
    assert len(told) < 80


def test_a_seat_is_its_letter_and_its_player_and_the_looking_one_is_you() -> None:
    players = {0: "alice", 1: "bot:1", 2: ""}
    assert [name_of(seat, 0, players) for seat in range(3)] == ["You", "O (bot:1)", "Y"]


def test_the_result_is_told_to_winner_and_loser() -> None:
    won = replace(opening().state, score=(5 * ONE, 3 * ONE), over=Over(Ended.MATCH, (0,)))
    players = {0: "alice", 1: "bot:1"}
    assert result(MATCH, won, 0, players) == "You win the match: X 5  O 3."
    assert result(MATCH, won, 1, players) == "X (alice) wins the match: X 5  O 3."
    ended = replace(opening(SESSION).state, score=(-2 * ONE, 2 * ONE), over=Over(Ended.SESSION, ()))
    assert result(SESSION, ended, 0, players) == "The session has ended: X -2  O +2."
    assert result(MATCH, opening().state, 0, players) == ""


def test_what_is_not_said_is_what_people_usually_want() -> None:
    plays = {
        Wanted("backgammon"): MatchPlay(3),
        Wanted("gammon"): MatchPlay(9),
        Wanted("rungammon", points=7): MatchPlay(7),
        Wanted("catchgammon", games=2): SessionPlay(2),
        Wanted("backgammon", beavers=True): SessionPlay(1, beavers=True),
        Wanted("trackgammon", seats=4): SessionPlay(1),
    }
    for wanted, play in plays.items():
        settings = wanted.settings()
        assert not isinstance(settings, Fault), settings
        agreed = settings_from_proto(settings.rules)
        assert isinstance(agreed, Settings)
        assert agreed.play == play


def test_what_the_law_has_against_it_names_the_rule() -> None:
    for wanted, rule in (
        (Wanted("chess"), "1"),
        (Wanted("rungammon", seats=3), "4"),
        (Wanted("trackgammon", seats=3, points=5), "7.1"),
        (Wanted("backgammon", centres="two"), "5.3"),
        (Wanted("gammon", games=2), "7.6"),
    ):
        fault = wanted.settings()
        assert isinstance(fault, Fault)
        assert fault.rule == rule


def test_the_page_shows_screens_of_80_columns_and_names_options_that_are_there() -> None:
    page = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    screens = re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert max(len(line) for screen in screens for line in screen.splitlines()) <= 80
    for section in ("Backgammon", "Catchgammon", "Rungammon", "Trackgammon", "The mixed match"):
        shown = page.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
        assert re.search(r"^```\n.*? game \d.*?^```$", shown, re.MULTILINE | re.DOTALL), section
    command = typer.main.get_command(app)
    play = command.commands["play"]  # type: ignore[attr-defined]
    known = {name for parameter in play.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert set(re.findall(r"--[a-z][a-z-]*", page)) - {"--help"} <= known


def test_what_an_act_would_cost_is_told_by_the_letters_on_the_board() -> None:
    def preview(*points: int) -> pb.PreviewActResponse:
        return pb.PreviewActResponse(points=[play_pb2.Points(numerator=own) for own in points])

    assert price(SESSION, preview(-2, 2)) == "It comes to X -2  O +2."
    assert price(MATCH, preview(0, 3)) == "It comes to X 0  O 3."
    assert price(MATCH, preview()) == "It costs nothing yet."
    refused = pb.PreviewActResponse(violation=play_pb2.Violation(rule="8.1", reason="a level is from 1 to 3"))
    assert price(MATCH, refused) == "a level is from 1 to 3 (rule 8.1)"


def test_an_open_seat_is_taken_as_was_agreed() -> None:
    agreed = settings_pb2.MatchSettings()
    assert how_to_take(agreed, 1) == ""
    agreed.seats.add(player="alice")
    agreed.seats.add(invited=True)
    agreed.seats.add()
    told = [how_to_take(agreed, seat) for seat in range(3)]
    assert told == [" --player alice", " --seat 1 --invitation TOKEN", ""]
    agreed.private = True
    assert how_to_take(agreed, 2) == " --seat 2 --invitation TOKEN"
