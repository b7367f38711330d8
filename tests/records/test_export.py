"""Out and in again: the same dice, plays, cube actions and results."""

import asyncio

import pytest
from tests.match.in_process import Desk, match_to
from tests.records.importing import record_of, stored
from tests.records.mats import game, mat, row

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import fact_pb2, settings_pb2
from gammon_engine.games.backgammon import Backgammon
from gammon_engine.settings import MatchPlay, SessionPlay
from gammon_match.app.ports import Recorded
from gammon_records.mat_writer import write_mat
from gammon_records.snowie import read_snowie_board, write_snowie_board
from gammon_records.told_match import NotWritable, sheet_of

OPENED = row(1, "31: 8/5 6/5", "62: 24/18 13/11")
NAMES = ("Ann", "Bob")


def facts_of(bodies: list[bytes]) -> list[str]:
    """The facts that MAT can hold: a declined offer and a tied throw leave nothing behind."""
    facts = [events_pb2.Envelope.FromString(body).fact for body in bodies]
    kept: list[str] = []
    for fact in facts:
        kind = fact.WhichOneof("kind")
        declined = kind == "offer_closed" and not fact.offer_closed.accepted
        if declined:
            kept.pop()  # the offer
        elif kind is not None and not (kind == "opening_thrown" and fact.opening_thrown.tied):
            kept.append(str(fact))
    return kept


def played_here(seed: int, rules: settings_pb2.Settings) -> list[bytes]:
    """All events of a match between random players."""

    async def play() -> list[bytes]:
        desk = Desk(seed=seed)
        live = await desk.match(rules)
        await desk.play_out(live)
        kept = await desk.store.read(live.match_id)
        assert isinstance(kept, Recorded)
        return [event.envelope for event in kept.events]

    return asyncio.run(play())


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_match_played_here_comes_back(seed: int) -> None:
    bodies = played_here(seed, match_to(3))
    again = stored(write_mat(sheet_of(bodies), NAMES, "m"))
    assert facts_of([event.envelope for event in again.record.events]) == facts_of(bodies)
    assert again.audited().first_wrong is None


def test_another_set_up_comes_back() -> None:
    rules = match_to(2)
    rules.setup = settings_pb2.SETUP_NACKGAMMON
    bodies = played_here(3, rules)
    again = stored(write_mat(sheet_of(bodies), NAMES, "m"))
    assert facts_of([event.envelope for event in again.record.events]) == facts_of(bodies)


@pytest.mark.parametrize(
    "rows",
    [
        (OPENED,),
        (OPENED, row(2, "43:")),
        (OPENED, row(2, " Doubles => 2")),
        (
            OPENED,
            row(2, " Doubles => 2", " Takes"),
            row(3, "43: 24/20 24/21", " Doubles => 4"),
            row(4, " Drops", "Wins 2 points"),
        ),
        (OPENED, "      Wins 3 points"),
        (OPENED, row(2, "43: ????", "Wins 2 points")),
        (OPENED, row(2, "43:"), "      Wins 1 point"),  # given up after the winner's roll
        (OPENED, row(2, " Forfeits")),
        ("                                  Wins 1 point",),  # given up before the opening throw
        (
            row(1, "", "31: 8/5 6/5"),
            row(2, "66: Cannot Move", "42: 8/4 6/4"),
            row(3, "11: 8/7 8/7"),
            "      Wins 1 point",
        ),
        (row(1, "65: Cannot Move"), "      Wins 1 point"),
        (row(1, "65: 13/2", "65: 2/13 24/18"),),
    ],
)
def test_small_matches_come_back(rows: tuple[str, ...]) -> None:
    match = stored(mat(7, game(1, *rows)))
    text = match.mat()
    again = stored(text)
    assert again.facts() == match.facts()
    assert again.mat() == text.replace(match.match_id, again.match_id)


@pytest.mark.parametrize(
    ("points", "headers"),
    [(7, ""), (7, '; [Crawford "Off"]'), (0, '; [Jacoby "On"]\n; [Beaver "On"]'), (0, ""), (5, '; [CubeLimit "1"]')],
)
def test_what_was_agreed_comes_back(points: int, headers: str) -> None:
    first = record_of(mat(points, game(1, OPENED), headers=headers))
    again = record_of(stored(mat(points, game(1, OPENED), headers=headers)).mat())
    assert again.settings == first.settings
    assert isinstance(again.settings.play, MatchPlay if points else SessionPlay)


def test_the_layout_that_most_programs_read() -> None:
    rows = (
        row(1, "", "62: 24/18 13/11"),
        row(2, "66: 24/18(2) 13/7*(2)", "43: bar/22 24/20"),
        row(3, " Doubles => 2", " Drops"),
    )
    text = stored(mat(3, game(1, *rows, "      Wins 1 point"), game(2, OPENED, left="Ann : 1"))).mat()
    assert text.split("\n")[-13:] == [
        " 3 point match",
        "",
        " Game 1",
        " Ann : 0                        Bob : 0",
        "  1)                             62: 24/18 13/11",
        "  2) 66: 24/18 24/18 13/7* 13/7  43: 25/22 24/20",
        "  3)  Doubles => 2                Drops",
        "      Wins 1 point",
        "",
        " Game 2",
        " Ann : 1                        Bob : 0",
        "  1) 31: 8/5 6/5                 62: 24/18 13/11",
        "",
    ]


@pytest.mark.parametrize("names", [("A : B", "C"), ("A" * 40, "Jean Luc"), ("x", "Wins : 3"), ("ä\nb", "c")])
def test_names_come_back(names: tuple[str, str]) -> None:
    match = stored(mat(3, game(1, OPENED)))
    written = record_of(match.mat(names))
    assert written.names == (names[0].replace("\n", "_"), names[1])


def test_an_illegal_play_is_written_as_its_hops() -> None:
    text = stored(mat(3, game(1, row(1, "65: 24/18 13/8 6/8", "52: 13/8 13/11")))).mat()
    assert "Illegal" not in text
    assert "65: 24/18 13/8 6/8" in text


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "text",
    [
        "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5",
        "bar:2,24:1,6:10,off:2 bar:1,20:3,7:1,off:10",
        "2:1,off:14 24:15",
    ],
)
def test_a_board_as_a_line_comes_back(seat: int, text: str) -> None:
    position = Backgammon().parse(text)
    assert isinstance(position, int), position
    assert read_snowie_board(write_snowie_board(position, seat), seat, 15) == position


def test_what_mat_has_no_words_for_is_refused() -> None:
    doubled = events_pb2.Envelope()
    doubled.fact.automatically_doubled.cube_log2 = 1
    created = stored(mat(0, game(1, OPENED))).record.events[0].envelope
    with pytest.raises(NotWritable, match="automatic double"):
        sheet_of([created, doubled.SerializeToString()])
    set_to, voided = events_pb2.Envelope(), events_pb2.Envelope()
    set_to.fact.score_set.SetInParent()
    voided.fact.game_ended.end = fact_pb2.GAME_END_VOIDED
    for ruling, reason in ((set_to, "a score that was set"), (voided, "ended without points")):
        with pytest.raises(NotWritable, match=reason):
            sheet_of([created, ruling.SerializeToString()])
    with pytest.raises(NotWritable, match="cannot be read"):
        sheet_of([b"\xff\xff"])
    with pytest.raises(NotWritable, match="no events"):
        sheet_of([])
