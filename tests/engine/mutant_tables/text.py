"""Mutants of rules.md section 9."""

from tests.mutation.mutant import Mutant

_READ = "test_position_text.py::test_9_1_text_is_read_and_written"
_REFUSED = "test_position_text.py::test_9_3_other_text_is_refused"
_NOTATION = "test_notation.py"

MUTANTS = (
    Mutant(
        "9.1",
        "board24_text.py",
        '_ORDER = tuple((point, f"{_NAMES[point]}:") for point in (*range(25, 0, -1), OFF))',
        '_ORDER = tuple((point, f"{_NAMES[point]}:") for point in (OFF, *range(25, 0, -1)))',
        f"{_READ}[bar:1,24:1,off:13 bar:15]",
    ),
    Mutant(
        "9.1",
        "board24_text.py",
        "if point >= last:",
        "if point == last:",
        f"{_REFUSED}[9.1-6:5,24:2,13:5,8:3 24:2,13:5,8:3,6:5]",
    ),
    Mutant(
        "9.3",
        "board24_text.py",
        "if total != checkers:",
        "if total > checkers:",
        f"{_REFUSED}[9.3-24:2,13:5,8:3,6:4 24:2,13:5,8:3,6:5]",
    ),
    Mutant(
        "9.3",
        "board24_text.py",
        "if first[point] and second[25 - point]:",
        "if first[point] and second[point]:",
        f"{_REFUSED}[9.3-12:15 13:15]",
    ),
    Mutant(
        "9.4",
        "notation.py",
        'mark = "*" if steps[0].hit else ""',
        'mark = "*" if steps[-1].hit else ""',
        f"{_NOTATION}::test_9_4_the_hit_of_equal_steps_is_on_the_first",
    ),
    Mutant(
        "9.4",
        "notation.py",
        'repeat = f"({len(steps)})" if len(steps) > 1 else ""',
        'repeat = f"({len(steps)})" if len(steps) > 2 else ""',
        f"{_NOTATION}::test_9_4_the_hit_of_equal_steps_is_on_the_first",
    ),
    Mutant(
        "9.6",
        "notation.py",
        "if marked and not step.hit:",
        "if False:",
        f"{_NOTATION}::test_9_6_false_hit_marks_are_errors",
    ),
    Mutant(
        "9.6",
        "notation.py",
        "ahead = leg.points[1:] if arrived else leg.points",
        "ahead = leg.points[1:]",
        f"{_NOTATION}::test_9_6_any_order_and_joined_steps[24/14-roll3-24/18 18/14]",
    ),
    Mutant(
        "9.6",
        "notation.py",
        "if step.hit and not written:",
        "if False:",
        f"{_NOTATION}::test_9_6_a_hit_on_the_only_way_must_be_written",
    ),
    Mutant(
        "9.1",
        "board24_text.py",
        "if point >= last:",
        "if point > last:",
        f"{_REFUSED}[9.1-24:1,24:1,13:5,8:3,6:5 24:2,13:5,8:3,6:5]",
    ),
    Mutant(
        "9.3",
        "trap_board24_text.py",
        "if own == other or not (own and other):",
        "if own == other:",
        "test_catch_text.py::test_9_3_other_text_is_refused[9.3-24:14,18:1t 24:15]",
    ),
    Mutant(
        "9.2",
        "track_text.py",
        "discs_of(position, seat)))",
        "discs_of(position, seat)[::-1]))",
        "test_trackgammon.py::test_9_2_one_text_of_a_position[14,13,12,11,10 2,14,9,7,14]",
    ),
    Mutant(
        "9.2",
        "track_text.py",
        "if len(points) != len(SIZES) or part",
        "if part",
        "test_trackgammon.py::test_9_2_any_other_text_is_refused[0,1,1,1,1 1,1,1,1,1]",
    ),
    Mutant(
        "9.3",
        "track_text.py",
        "if point in track.centres and discs",
        "if point in (3, 6, 9, 12) and discs",
        "test_trackgammon.py::test_9_3_no_equal_discs_on_one_centre_point[game4-5,1,1,1,1 10,1,1,1,1]",
    ),
    Mutant(
        "9.5",
        "track_notation.py",
        "{'x' * hit}",
        "",
        "test_track_notation.py::test_9_5_one_word_a_step",
    ),
    Mutant(
        "9.6",
        "track_notation.py",
        "if step.hit and marked is None:",
        "if False:",
        "test_track_notation.py::test_9_6_a_capture_on_the_only_way_must_be_written",
    ),
)
