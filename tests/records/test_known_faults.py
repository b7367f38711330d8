"""Faults that other programs had with match files, by the numbers of the table of known cases (F, C)."""

import re

import pytest
from tests.records.importing import record_of, stored
from tests.records.mats import acts, game, mat, row

from gammon_engine.games.backgammon import Backgammon
from gammon_engine.settings import MatchPlay, SessionPlay, SetUp
from gammon_records.follow import read_mat
from gammon_records.mat_play import Illegal, Legal, read_mat_play
from gammon_records.record import Claimed, Record
from gammon_records.refused import Refused

LEFT_WINS = "      Wins {} point"
RIGHT_WINS = "                                  Wins {} point"


@pytest.mark.parametrize("marks", ["???", "????"], ids=["F1", "F2"])
def test_f1_f2_resigned_after_rolling(marks: str) -> None:
    record = record_of(mat(5, game(1, row(1, "31: 8/5 6/5", f"66: {marks}"), LEFT_WINS.format(1))))
    assert acts(record) == ["open 3-1", "0: 8/5 6/5", "1 rolls 6-6", "1 resigns 1", "(0 wins 1)", "0 accept"]


@pytest.mark.parametrize("end", ["", " and the match"])
def test_f4_with_and_without_and_the_match(end: str) -> None:
    record = record_of(mat(2, game(1, row(1, "31: 8/5 6/5", "62: ????"), f"      Wins 2 points{end}")))
    assert record.over
    assert [part.lawful for part in record.parts if isinstance(part, Claimed)] == [True]


@pytest.mark.parametrize("points", ["1 point", "1 points", "2 point", "2 points", "3 points"])
def test_f5_gammons_are_not_lost(points: str) -> None:
    match = stored(mat(7, game(1, row(1, "31: 8/5 6/5", "62: ????"), f"      Wins {points}")))
    (ended,) = [event.fact.game_ended for event in match.events if event.fact.HasField("game_ended")]
    assert [own.numerator for own in ended.points] == [int(points[0]), 0]
    assert ended.level == int(points[0])


@pytest.mark.parametrize(
    "words",
    [
        row(2, "Resigns", "Wins 1 points"),
        row(2, "Resigned Game", "Wins 1 points"),
        row(2, "Concedes", "Wins 1 points"),
        row(2, " Losses 1 point", "Wins 1 point"),
        row(2, "Resigned Game") + "\n" + RIGHT_WINS.format(1),
        row(2, " Losses 1 point"),
        row(2, "Lost 1 point"),
        row(2, "Resigns", "Wins 1 point with nothing"),
        " Losses 1 point\n\n" + RIGHT_WINS.format(1),
    ],
)
def test_f7_all_spellings_of_resigning(words: str) -> None:
    record = record_of(mat(5, game(1, row(1, "31: 8/5 6/5", "62: 24/18 13/11"), words)))
    assert acts(record)[-3:] == ["0 resigns 1", "(1 wins 1)", "1 accept"]


def test_f7_a_whole_match_given_up() -> None:
    record = record_of(mat(5, game(1, row(1, "31: 8/5 6/5", "Resigned Match"), "      Wins 5 points and the match")))
    assert acts(record) == ["open 3-1", "0: 8/5 6/5", "(0 wins 5?!)", "1 forfeit"]
    assert record.over
    enough = record_of(mat(3, game(1, row(1, "31: 8/5 6/5", "Resigned Match"), "      Wins 3 points and the match")))
    assert acts(enough)[-3:] == ["1 resigns 3", "(0 wins 3 and the match)", "0 accept"]


def test_f7_columns_that_swap_from_game_to_game() -> None:
    games = (
        game(1, row(1, "31: 8/5 6/5", "62: ????"), LEFT_WINS.format(1)),
        game(2, row(1, "31: 8/5 6/5", "62: ????"), LEFT_WINS.format(1), left="Bob : 0", right="Ann : 1"),
        game(3, row(1, "31: 8/5 6/5", "62: ????"), LEFT_WINS.format(1), left="Bob : 1", right="Ann : 1"),
    )
    record = record_of(mat(5, *games))
    assert record.names == ("Ann", "Bob")
    assert acts(record)[6:12] == ["open 1-3", "1: 8/5 6/5", "0 rolls 6-2", "0 resigns 1", "(1 wins 1)", "1 accept"]
    assert [part.winner for part in record.parts if isinstance(part, Claimed)] == [0, 1, 1]
    # Ann stands at 1, Bob at 2.
    assert [warned.text for warned in record.warnings] == ["the record ends at 1 : 2, before the match to 5 is won"]


@pytest.mark.parametrize(
    ("left", "right", "names"),
    [
        ("Jean Luc : 0", "Bob : 0", ("Jean Luc", "Bob")),
        ("A : B : 0", "C : 0", ("A : B", "C")),
        ("A: 0", "B : C: 0", ("A", "B : C")),
        ("Rook : 5 : 0", "B : 0", ("Rook : 5", "B")),
        ("A : 0", "B : 7  C : 0", ("A", "B : 7  C")),
        (" : 0", "Ann : 0", ("", "Ann")),
        ("Ann : 0", " : 0", ("Ann", "")),
        ("Game Boy 3 : 0", "Wins Often : 0", ("Game Boy 3", "Wins Often")),
        ("nori,1699 : 0", "Pläyer : 0", ("nori,1699", "Pläyer")),
    ],
)
def test_f8_names_are_kept(left: str, right: str, names: tuple[str, str]) -> None:
    headers = "".join(f'; [Player {i} "{name}"]\n' for i, name in enumerate(names, 1))
    text = mat(5, game(1, row(1, "31: 8/5 6/5"), left=left, right=right), headers=headers)
    assert record_of(text).names == names


def test_f8_blanks_at_the_end_of_a_name_stand_in_the_header_only() -> None:
    text = mat(5, game(1, row(1, "31: 8/5 6/5")), headers='; [Player 2 "Ann  "]\n; [Player 1 "Bob"]\n')
    assert record_of(text).names == ("Ann  ", "Bob")


def test_f8_an_old_encoding_is_read() -> None:
    text = mat(5, game(1, row(1, "31: 8/5 6/5"), left="Jürgen : 0"))
    assert record_of(text.encode("cp1252")).names[0] == "Jürgen"
    assert record_of(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()).names[0] == "Jürgen"


def test_f10_a_joined_double_has_all_its_steps() -> None:
    game24 = Backgammon(SetUp.STANDARD)
    position = game24.parse("6:1,1:2,off:12 20:15")
    assert isinstance(position, int)
    read = read_mat_play(game24, "6/0 1/0(2)", position, 0, (4, 4))
    assert isinstance(read, Legal)
    assert [(step.origin, step.target) for step in read.play] == [(6, 2), (2, 0), (1, 0), (1, 0)]


def test_f11_a_very_long_match_is_safe() -> None:
    match = stored(mat(999, game(1, row(1, "31: 8/5 6/5", "62: ????"), LEFT_WINS.format(3))))
    assert match.check("law").verdict.value == "PASS"
    for length in ("100001", "99999999999999999999"):
        refused = read_mat(mat(5, "").replace("5 point", f"{length} point").encode())
        assert refused == Refused(2, f"a match to {length} points; at most 100000 are read")


@pytest.mark.parametrize(
    ("rows", "board", "rule", "at"),
    [
        (
            (row(1, "61: 13/7 8/7", "52: 13/8 13/11"), row(2, "33: 13/3 7/4", "43: 13/9 13/10"), row(3, "21: 13/10")),
            "24:2,13:3,8:2,7:1,6:5,4:1,3:1 24:2,13:3,11:1,8:4,6:5",
            "1.3",
            1,
        ),
        (
            (row(1, "65: 24/18 13/8 6/8", "52: 13/8 13/11"), row(2, "21: 8/5")),
            "24:1,18:1,13:4,8:5,6:4 24:2,13:5,8:3,6:5",
            "1.3",
            0,
        ),
        # Only one of two numbers played.
        (
            (row(1, "65: 24/18", "52: 13/8 13/11"), row(2, "21: 8/5")),
            "24:1,18:1,13:5,8:3,6:5 24:2,13:5,8:3,6:5",
            "1.4",
            0,
        ),
        # A blot is hit on the way of the illegal play too.
        (
            (row(1, "62: 24/18 13/11", "64: 24/18 13/9"), row(2, "11: 13/10 18/16*", "21: bar/24 6/4")),
            "24:1,16:1,13:3,11:1,10:1,8:3,6:5 bar:1,24:1,18:1,13:4,8:3,6:5",
            "1.3",
            1,
        ),
    ],
)
def test_f12_an_illegal_play_is_kept_and_the_rest_stays_in_step(
    rows: tuple[str, ...], board: str, rule: str, at: int
) -> None:
    text = mat(5, game(1, *rows, LEFT_WINS.format(1)))
    match = stored(text)
    (illegal,) = [event for event in match.events if event.fact.HasField("illegal_play_recorded")]
    told = illegal.fact.illegal_play_recorded
    assert (told.position, told.violation.rule) == (board, rule)
    line = text.split("\n").index(rows[at]) + 1
    assert illegal.source_line == line
    kinds = [event.fact.WhichOneof("kind") for event in match.events if event.HasField("fact")]
    assert kinds.count("play_made") == sum(text.count(f"{dice}:") for dice in DICE) - 1
    report = match.audited()
    assert {check.name for check in report.checks if check.verdict.value == "FAIL"} == {"record"}
    assert match.check("record").sequence == match.events.index(illegal) + 1
    assert f"line {line}" in match.check("record").detail


DICE = [f"{a}{b}" for a in range(1, 7) for b in range(1, 7)]


def test_f12_a_pass_where_a_play_was_due_and_a_play_where_none_was() -> None:
    skipped = stored(mat(5, game(1, row(1, "65: Cannot Move", "52: 13/8 13/11"), row(2, "21: 13/10"))))
    (told,) = [e.fact.illegal_play_recorded for e in skipped.events if e.fact.HasField("illegal_play_recorded")]
    assert (list(told.steps), told.violation.rule) == ([], "1.4")
    assert told.position == "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"


def test_f12_what_leads_to_no_board_is_refused_with_its_line() -> None:
    assert read_mat(mat(5, game(1, row(1, "65: 20/9", "52: 13/8 13/11"))).encode()) == Refused(
        6, "20/9 cannot be played: there is no checker on point 20"
    )
    held = read_mat(mat(5, game(1, row(1, "65: 24/19 13/7", "52: 13/8 13/11"))).encode())
    assert held == Refused(6, "24/19 13/7 cannot be played: point 19 is held by the opponent")


def test_f13_a_bad_play_is_legal_all_the_same() -> None:
    record = record_of(mat(5, game(1, row(1, "62: 8/2 8/6", "41: 24/20 24/23"))))
    assert acts(record) == ["open 6-2", "0: 8/2 8/6", "1 rolls 4-1", "1: 24/20 24/23*"]
    assert [warned.text for warned in record.warnings] == ["the record ends within game 1"]


def test_f14_an_illegal_play_given_as_a_board() -> None:
    # Left plays 6-5 as 13/2: seen by right, who is to roll, point 23 holds one of left's checkers.
    board = "5;0;0;0;0;Ann;Bob;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-4;5;0;0;0;-3;0;-5;0;0;0;-1;2;0;0;0;"
    board = board.replace("-3;0;-5;0;0;0;-1;2", "-3;0;-5;0;0;-1;0;2")
    text = mat(5, game(1, row(1, f"65: Illegal play ({board})", "42: 8/4 6/4"), row(2, "31: ????", "Wins 1 point")))
    match = stored(text)
    (told,) = [e.fact.illegal_play_recorded for e in match.events if e.fact.HasField("illegal_play_recorded")]
    assert told.seat == 0
    assert told.position == "24:2,13:4,8:3,6:5,3:1 24:2,13:5,8:3,6:5"
    again = match.mat()
    assert again.count("Illegal play (") == 1
    assert stored(again).facts() == match.facts()


def test_f14_never_written_for_a_legal_match() -> None:
    match = stored(mat(5, game(1, row(1, "62: 8/2 8/6", "41: 24/20 24/23"), LEFT_WINS.format(1))))
    assert "llegal" not in match.mat()


def test_f14_a_board_that_only_sets_up_the_game() -> None:
    board = "1;0;1;0;{};Ann;Bob;0;0;0;1;0;0;-2;-2;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-4;0;0;0;2;2;0;6;4;"
    left_first = mat(
        3, game(1, row(1, "", f"12: Illegal play ({board.format(1)})"), row(2, "64: 24/18 18/14", "43: 24/20 23/20"))
    )
    record = record_of(left_first)
    assert record.settings.set_up is SetUp.NACKGAMMON
    assert acts(record) == ["open 6-4", "0: 24/18 18/14", "1 rolls 4-3", "1: 24/20 23/20"]
    right_first = mat(3, game(1, row(1, f"12: Illegal play ({board.format(0)})", "61: 13/7 8/7")))
    assert acts(record_of(right_first)) == ["open 1-6", "1: 13/7 8/7"]


WHOLE = mat(
    2,
    game(1, row(1, "31: 8/5 6/5", "62: 24/18 13/11"), row(2, " Doubles => 2", " Drops"), LEFT_WINS.format(1)),
    game(
        2,
        row(1, "", "43: 24/20 13/10"),
        row(2, "66: 24/18(2) 13/7(2)", "11: 6/4(2)"),
        row(3, "21: ????", "Wins 2 points and the match"),
        left="Ann : 1",
    ),
)


@pytest.mark.parametrize("cut", range(len(WHOLE)))
def test_f15_cut_anywhere_a_record_has_no_invented_result(cut: int) -> None:
    text = WHOLE[:cut]
    record = read_mat(text.encode())
    if isinstance(record, Refused):
        assert "Bob : 0" not in text
        return
    ends = len(re.findall(r"Wins \d point|Drops", text))
    assert record.over == ("Wins 2 point" in text)
    claims = [part for part in record.parts if isinstance(part, Claimed)]
    assert len(claims) == len(re.findall(r"Wins \d point", text))
    assert ends or not any("accept" in words or "drop" in words for words in acts(record))
    if not record.over:
        assert any("ends" in warned.text or "breaks off" in warned.text for warned in record.warnings)


def test_f15_cut_after_a_roll_and_within_a_play() -> None:
    rolled = record_of(mat(5, game(1, row(1, "31: 8/5 6/5", "62:"))))
    assert acts(rolled) == ["open 3-1", "0: 8/5 6/5", "1 rolls 6-2"]
    within = record_of(mat(5, game(1, row(1, "31: 8/5 6/5", "62: 24/18 13/1"))))
    assert acts(within) == ["open 3-1", "0: 8/5 6/5", "1 rolls 6-2"]
    assert [warned.text for warned in within.warnings] == [
        "the record breaks off, and '24/18 13/1' is left out",
        "the record ends within game 1",
    ]
    match = stored(mat(5, game(1, row(1, "31: 8/5 6/5", "62:"))))
    assert match.events[-1].match_closed.reason == 3  # the record ends
    assert "NOTE: the record ends before the match does" in match.check("record").detail


def test_f22_one_numbering_for_both_columns() -> None:
    left = stored(mat(5, game(1, row(1, "31: 8/5 6/5"))))
    right = stored(mat(5, game(1, row(1, "", "31: 8/5 6/5"))))
    steps = [
        [(s.number, s.origin, s.target) for e in match.events for s in e.fact.play_made.steps]
        for match in (left, right)
    ]
    assert steps[0] == steps[1] == [(3, 8, 5), (1, 6, 5)]


def test_f24_hits_are_marked_exactly_where_a_blot_was_hit() -> None:
    # Nothing is marked in this file: left leaves a blot on 5, right hits it from 24.
    match = stored(mat(5, game(1, row(1, "21: 13/11 6/5", "43: 24/20 13/10"), row(2, "62: 25/23 24/18"))))
    hits = [step.hit for event in match.events for step in event.fact.play_made.steps]
    assert hits == [False, False, True, False, False, False]
    assert "43: 24/20* 13/10" in match.mat()


def test_c11_crawford_belongs_to_matches_and_jacoby_to_money() -> None:
    headers = '; [Crawford "On"]\n; [Jacoby "On"]\n; [Beaver "On"]\n'
    one = game(1, row(1, "31: 8/5 6/5"))
    assert record_of(mat(7, one, headers=headers)).settings.play == MatchPlay(7, crawford=True)
    assert record_of(mat(0, one, headers=headers)).settings.play == SessionPlay(jacoby=True, beavers=True)
    assert record_of(mat(7, one)).settings.play == MatchPlay(7, crawford=True)
    assert record_of(mat(7, one, headers='; [Crawford "Off"]\n')).settings.play == MatchPlay(7, crawford=False)


def test_c13_a_beaver_and_a_raccoon_survive_export() -> None:
    rows = (
        row(1, "31: 8/5 6/5", "62: 24/18 13/11"),
        row(2, " Doubles => 2", " Beavers => 4"),
        row(3, " Raccoons => 8"),
        row(4, "42: 8/4 6/4", "31: ????"),
    )
    match = stored(mat(0, game(1, *rows, "      Wins 8 points")))
    kinds = [event.fact.WhichOneof("kind") for event in match.events if event.HasField("fact")]
    assert [kind for kind in kinds if kind in ("double_offered", "beavered", "raccooned", "raise_accepted")] == [
        "double_offered",
        "beavered",
        "raccooned",
        "raise_accepted",
    ]
    assert match.audited().first_wrong is None
    assert stored(match.mat()).facts() == match.facts()


def test_c14_the_doubler_drops_a_beaver_and_loses_the_stake_before_it() -> None:
    rows = (
        row(1, "31: 8/5 6/5", "62: 24/18 13/11"),
        row(2, " Doubles => 2", " Beavers => 4"),
        row(3, " Drops", "Wins 2 points"),
    )
    match = stored(mat(0, game(1, *rows)))
    (ended,) = [event.fact.game_ended for event in match.events if event.fact.HasField("game_ended")]
    assert [own.numerator for own in ended.points] == [-2, 2]
    assert stored(match.mat()).facts() == match.facts()


def test_m25_missing_hit_marks_and_other_spellings_are_read() -> None:
    game24 = Backgammon(SetUp.STANDARD)
    position = game24.parse("bar:1,13:5,8:3,6:6 20:1,13:5,8:4,6:5")
    assert isinstance(position, int)
    plays = [read_mat_play(game24, text, position, 0, (4, 1)) for text in ("Bar/24 6/2", "25/24 6/2", "BAR/24* 6/2")]
    assert plays[0] == plays[1]
    assert all(isinstance(play, Legal) for play in plays)
    extra = read_mat_play(game24, "bar/24 6/2 8/7", position, 0, (4, 1))
    assert isinstance(extra, Illegal)
    assert isinstance(record_of(mat(5, game(1, row(1, "31: 8/5 6/5")))), Record)
