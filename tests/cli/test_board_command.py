"""`gammon board`: what it draws, and what it says when it cannot."""

from pathlib import Path

import pytest
from tests.cli.command import gammon
from tests.drawing.reading import gammon_counts

START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
GOLDEN_POINT = "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5"


def test_a_position_is_shown_as_the_seat_sees_it() -> None:
    done = gammon("board", "backgammon", GOLDEN_POINT, "--seat", "1")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    # The five-point of seat 0 is 20 of seat 1.
    column = lines[0].index("20")
    assert [line[column] for line in lines[2:5]] == ["X", "X", " "]


def test_without_a_position_the_start_of_the_set_up_is_shown() -> None:
    assert gammon("board", "backgammon").stdout == gammon("board", "backgammon", START).stdout
    assert gammon("board", "longgammon").stdout.count("15") == 3  # two stacks, and a number of a point


def test_a_picture_goes_to_its_file(tmp_path: Path) -> None:
    file = tmp_path / "golden.svg"
    done = gammon("board", "backgammon", GOLDEN_POINT, "--svg", str(file))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    drawn = file.read_text(encoding="utf-8")
    assert gammon_counts(drawn)[0] == {"24": 2, "13": 5, "8": 2, "6": 4, "5": 2}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_position_says_itself_how_many_play(seats: int) -> None:
    drawn = gammon("board", "trackgammon", " ".join(["1,1,1,1,1"] * seats))
    assert (drawn.returncode, drawn.stderr) == (0, "")
    assert drawn.stdout == gammon("board", "trackgammon", "--seats", str(seats)).stdout
    assert drawn.stdout.splitlines()[0].split("seat ")[-1] == str(seats - 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chess",), ("game:", "backgammon", "rule 1", "'chess'")),
        (("backgammon", "24:2"), ("position:", "rule 9")),
        (("backgammon", GOLDEN_POINT.replace("6:4", "6:5")), ("position:", "16", "rule 9.3")),
        (("backgammon", "--seats", "3"), ("seats:", "rule 2", "got 3")),
        (("backgammon", "--seat", "2"), ("seat:", "0 to 1", "rule 1.1", "got 2")),
        (("backgammon", "--centres", "two"), ("gammon: centres:", "rule 5.3", "got two")),
        (("backgammon", "--runner-release", "none"), ("gammon: runner_release:", "own or both", "'none'")),
        (("backgammon", "--svg", "/"), ("--svg", "Is a directory")),
    ],
)
def test_what_is_wrong_is_named_with_value_and_rule(arguments: tuple[str, ...], said: tuple[str, ...]) -> None:
    done = gammon("board", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert [part for part in said if part not in done.stderr] == []
