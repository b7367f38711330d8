"""Results: what a record says, what the law says, and which settings a record implies."""

import pytest
from tests.records.importing import record_of, stored
from tests.records.mats import acts, game, mat, row

from gammon_engine.settings import MatchPlay, SessionPlay, SetUp
from gammon_records.follow import read_mat
from gammon_records.record import Record
from gammon_records.refused import Refused
from gammon_records.results import level_of

OPENED = row(1, "31: 8/5 6/5", "62: 24/18 13/11")
DROPPED = (OPENED, row(2, " Doubles => 2", " Drops"), "      Wins 1 point")


@pytest.mark.parametrize(
    ("points", "cube", "needed", "level"),
    [
        (1, 1, 5, 1),
        (2, 1, 5, 2),
        (3, 1, None, 3),
        (12, 4, 13, 3),
        (8, 8, 20, 1),
        (3, 2, 3, 2),  # written as no more than what was needed
        (1, 4, 1, 1),
        (5, 2, 5, 3),
        (3, 2, 5, None),
        (4016, 4, 2, 1),  # too much, whatever it is
        (3, 2, None, None),
    ],
)
def test_the_level_that_points_stand_for(points: int, cube: int, needed: int | None, level: int | None) -> None:
    assert level_of(points, cube, needed) == level


def test_a_result_the_law_has_otherwise_is_stored_beside_it_and_noted() -> None:
    text = mat(2, game(1, *DROPPED), game(2, OPENED, row(2, "64: ????"), "      Wins 1 point", left="Ann : 1"))
    match = stored(text.replace("      Wins 1 point", "      Wins 3 points", 1))
    claims = [event.record_claimed for event in match.events if event.HasField("record_claimed")]
    assert [(list(c.winners), [p.numerator for p in c.points], c.lawful) for c in claims] == [
        ([0], [3, 0], False),
        ([0], [1, 0], True),
    ]
    ends = [event.fact.game_ended for event in match.events if event.fact.HasField("game_ended")]
    assert [[p.numerator for p in end.points] for end in ends] == [[1, 0], [1, 0]]
    check = match.check("record")
    assert check.verdict.value == "PASS"
    assert (
        check.detail
        == "1 results agree with the law; NOTE: game 1, line 8: the record says seat 0 wins 3, the law seat 0 wins 1"
    )
    assert match.audited().first_wrong is None


def test_a_result_for_the_wrong_side_is_noted() -> None:
    wrong = "                                  Wins 1 point"
    match = stored(mat(3, game(1, OPENED, row(2, " Doubles => 2", " Drops"), wrong)))
    assert "the record says seat 1 wins 1, the law seat 0 wins 1" in match.check("record").detail


def test_the_end_of_the_match_is_noted_where_the_law_does_not_have_it() -> None:
    match = stored(mat(5, game(1, *DROPPED[:2], "      Wins 1 point and the match")))
    detail = match.check("record").detail
    assert "the record says that this was the match, by the law it is not over" in detail
    assert "the record ends before the match does" in detail


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("Wins 2 points", ["1 resigns 2", "(0 wins 2)", "0 accept"]),
        ("Wins 5 points", ["1 resigns 1", "(0 wins 5?!)", "0 accept"]),
    ],
)
def test_a_game_given_up_counts_at_its_level(result: str, told: list[str]) -> None:
    assert acts(record_of(mat(11, game(1, OPENED, f"      {result}"))))[-3:] == told


@pytest.mark.parametrize("points", [5, 100])
def test_more_than_a_game_can_be_worth_is_the_match_given_up(points: int) -> None:
    before = record_of(mat(5, game(1, row(1), f"   Wins {points} points and the match")))
    assert acts(before) == [f"(0 wins {points}?!)", "1 forfeit"]
    assert before.over
    match = stored(mat(5, game(1, OPENED, f"   Wins {points} points and the match")))
    assert match.check("record").detail.endswith(
        f"the record says seat 0 wins {points}, by the law the match was forfeited"
    )
    assert match.audited().first_wrong is None
    near = mat(2, game(1, OPENED, f"   Wins {points} points"))
    assert acts(record_of(near))[-3:] == ["1 resigns 2", f"(0 wins {points}?!)", "0 accept"]


def test_the_next_score_says_how_a_game_without_a_result_ended() -> None:
    text = mat(7, game(1, OPENED), game(2, OPENED, right="Bob : 2"))
    assert acts(record_of(text))[4:7] == ["0 resigns 2", "(1 wins 2)", "1 accept"]
    silent = mat(7, game(1, OPENED), game(2, OPENED))
    assert read_mat(silent.encode()) == Refused(9, "game 1 has no result, and the next one begins")


def test_a_score_that_does_not_follow_is_told() -> None:
    record = record_of(mat(7, game(1, *DROPPED), game(2, OPENED, left="Ann : 2")))
    assert record.warnings[0].text == "the record has the score 2 : 0, by the law it is 1 : 0"
    assert read_mat(mat(7, game(4, OPENED, left="Ann : 2")).encode()) == Refused(
        5, "the record begins at 2 : 0; only one that begins at 0 : 0 can be followed"
    )


def test_what_follows_the_end_is_refused_unless_it_is_empty() -> None:
    first = game(1, *DROPPED[:2], "      Wins 1 point")
    assert read_mat(mat(1, first.replace("Doubles", "Doubles"), game(2, OPENED)).encode()) == Refused(
        7, "rule 6.4: there is no cube"
    )
    won = game(1, OPENED, row(2, "64: ????"), "      Wins 1 point")
    won = won.replace("      Wins", "                                  Wins")
    assert read_mat(mat(1, won, game(2, OPENED, right="Bob : 1")).encode()) == Refused(
        11, "rule 7.1: the match is over, and the record goes on"
    )
    empty = record_of(mat(1, won, game(2, right="Bob : 1")))
    assert empty.over
    assert [warned.line for warned in empty.warnings] == [11]


def test_the_same_seat_twice_is_refused_with_its_line() -> None:
    assert read_mat(mat(5, game(1, OPENED, row(2, "", "61: 13/7 8/7"))).encode()) == Refused(
        7, "rule 1.3: another seat is on turn"
    )
    assert read_mat(mat(5, game(1, row(1, "33: 8/5(2) 6/3(2)"))).encode()) == Refused(
        6, "rule 1.7: a game cannot open with a double"
    )


def test_a_double_in_the_crawford_game_means_a_match_without_that_rule() -> None:
    text = mat(2, game(1, *DROPPED), game(2, OPENED, row(2, " Doubles => 2", " Takes"), left="Ann : 1"))
    record = record_of(text)
    assert record.settings.play == MatchPlay(2, crawford=False)
    assert "Crawford" in record.warnings[0].text
    assert record.warnings[0].line == 13


def test_a_session_is_over_when_its_record_is() -> None:
    games = game(1, *DROPPED), game(2, OPENED, row(2, "64: ????", "Wins 2 points and the match"), left="Ann : 1")
    record = record_of(mat(0, *games))
    assert record.settings.play == SessionPlay()
    assert record.over
    assert acts(record)[-1] == "end"
    match = stored(mat(0, *games))
    (over,) = [event.fact.play_ended for event in match.events if event.fact.HasField("play_ended")]
    assert [own.numerator for own in over.score] == [-1, 1]
    assert match.check("record").detail == "2 results agree with the law"


def test_jacoby_counts_a_gammon_single_and_notes_the_difference() -> None:
    text = mat(0, game(1, OPENED, row(2, "64: ????", "Wins 2 points")), headers='; [Jacoby "On"]')
    match = stored(text)
    (ended,) = [event.fact.game_ended for event in match.events if event.fact.HasField("game_ended")]
    assert (ended.level, ended.counted) == (2, 1)
    assert "the record says seat 1 wins 2, the law seat 1 wins 1" in match.check("record").detail


def test_points_that_are_no_level_are_a_settlement_in_money_play() -> None:
    doubled = (OPENED, row(2, " Doubles => 2", " Takes"), row(3, "64: ????", "Wins 3 points"))
    assert acts(record_of(mat(0, game(1, *doubled))))[-4:] == ["0 settle", "(1 wins 3)", "1 accept", "end"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("      Wins 1 point", ["(0 wins 1)", "1 drop"]),
        ("      Wins 2 points", ["1 take", "1 resigns 1", "(0 wins 2)", "0 accept"]),
        ("      Wins 4 points", ["1 take", "1 resigns 2", "(0 wins 4)", "0 accept"]),
    ],
)
def test_a_double_without_an_answer(written: str, told: list[str]) -> None:
    assert acts(record_of(mat(9, game(1, OPENED, row(2, " Doubles => 2"), written))))[5:] == told


def test_a_double_that_was_rolled_after_was_taken() -> None:
    record = record_of(mat(9, game(1, OPENED, row(2, " Doubles => 2"), row(3, "43: 24/20 24/21"))))
    assert acts(record)[4:6] == ["0 double", "1 take"]
    assert record.warnings[0].line == 8


def test_a_cube_that_shows_something_else_is_told() -> None:
    record = record_of(mat(9, game(1, OPENED, row(2, " Doubles => 4", " Takes"))))
    assert record.warnings[0].text == "the cube is written as 4, by the law it is 2"


@pytest.mark.parametrize(
    ("variation", "set_up"),
    [("Backgammon", None), ("NackGammon", SetUp.NACKGAMMON), ("Hypergammon", SetUp.HYPERGAMMON)],
)
def test_variations(variation: str, set_up: SetUp | None) -> None:
    read = read_mat(mat(5, game(1), headers=f'; [Variation "{variation}"]').encode())
    assert isinstance(read, Record)
    assert read.settings.set_up is set_up


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (mat(5, game(1), headers='; [Variation "Tavla"]'), 2, "the variation 'Tavla' is not known here"),
        ("", 1, "there is no line such as `7 point match`: this is no MAT text"),
        ("7 point match\n", 1, "there is no game"),
        (" Game 1\n A : 0  B : 0\n", 1, "a game begins before a line such as `7 point match`"),
        ("7 point match\n Game 1\n 1) 31: 8/5 6/5\n\n 62: x\n", 3, "expected the names and scores of a game"),
        (mat(5, game(1), "3 point match"), 7, "a second match begins; a file holds one"),
        (mat(5, game(1), "; Set Pos=-b----E-C---eE---c-e----B-/0"), 7, "the record sets a position"),
        ("7 point match\0", 1, "the file is no text"),
    ],
)
def test_what_cannot_be_read_is_refused_with_line_and_reason(text: str, line: int, reason: str) -> None:
    refused = read_mat(text.encode())
    assert isinstance(refused, Refused)
    assert refused.line == line
    assert refused.reason.startswith(reason)


def test_lines_that_say_nothing_known_are_told() -> None:
    record = record_of(mat(5, game(1, OPENED, "  Remark: a nice play")))
    told = {warned.line: warned.text for warned in record.warnings}
    assert told[7] == "this line is not understood, and left out"
