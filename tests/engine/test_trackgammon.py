"""Trackgammon by hand: a test for each paragraph of section 5 that the board decides, named by it."""

from itertools import permutations

import pytest
from tests.engine.track_boards import CENTRE_POINTS, FOUR, START, THREE, TWO, at, played, track

from gammon_engine.games.trackgammon import DESCRIPTION, Trackgammon
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Finished
from gammon_engine.play import Roll
from gammon_engine.settings import Centres
from gammon_engine.view import TrackBoard
from gammon_engine.violation import Violation

# Out of everybody's way.
AWAY = START


def broken(game: Trackgammon, discs: list[str], roll: Roll, words: str, seat: int = 0) -> str | None:
    """The rule that the play breaks, or None; where there is none, the result must be listed."""
    position, play = at(game, *discs), played(words)
    refused = game.explain(position, seat, roll, play)
    if refused is None:
        assert game.apply(position, seat, play)[0] in game.legal_plays(position, seat, roll)
        return None
    return refused.rule


def after(game: Trackgammon, discs: list[str], roll: Roll, words: str, seat: int = 0) -> str:
    """The position text after a legal play, captures written as the game marks them."""
    position, play = at(game, *discs), played(words)
    assert game.explain(position, seat, roll, play) is None
    result, marked = game.apply(position, seat, play)
    assert game.write_play(marked) == words
    assert result in game.legal_plays(position, seat, roll)
    return game.text(result)


def open_steps(game: Trackgammon, discs: list[str], number: int, disc: int, seat: int = 0) -> list[int]:
    """Where the disc can go with the number, as the first step of a roll; generator and explainer agree on it."""
    position, other = at(game, *discs), number % 6 + 1
    found = game.next_steps(position, seat, (number, other), ())
    assert isinstance(found, NextSteps)
    targets = sorted(step.target for step in found.steps if (step.number, step.piece) == (number, disc))
    origin = discs[seat].split(",")[disc - 1]
    for target in range(1, 15):
        rule = broken(game, discs, (number, other), f"{number}:{disc}@{origin}-{target}", seat)
        assert (rule in (None, "5.10")) is (target in targets), (target, rule)
    return targets


def landed_on(game: Trackgammon, point: int, seat: int, theirs: int) -> bool:
    """Whether disc 2 of seat 0 may land on a point while disc 1 of another seat stands on its own `theirs`."""
    origin, number = (point - 1, 1) if point > 1 else (3, 2)
    others = [AWAY] * (game.seats - 1)
    others[seat - 1] = f"{theirs},1,1,1,1"
    mine = f"14,{origin},1,1,1" if point != 14 else f"1,{origin},1,1,1"
    return point in open_steps(game, [mine, *others], number, 2)


# -- The track


@pytest.mark.parametrize("game", [TWO, THREE, FOUR])
def test_5_1_five_discs_on_point_1_the_largest_at_the_bottom(game: Trackgammon) -> None:
    assert game.text(game.start()) == " ".join([START] * game.seats)
    found = game.next_steps(game.start(), 0, (5, 3), ())
    assert isinstance(found, NextSteps)
    assert found.steps == played("5:1@1-6 3:1@1-4")


@pytest.mark.parametrize(
    ("game", "seat", "theirs", "mine"),
    [
        # The leg at seat 0's left is at the right of seat 1; the leg at its right is at the left of the last seat.
        (TWO, 1, 12, 3),
        (TWO, 1, 9, 6),
        (TWO, 1, 6, 9),
        (TWO, 1, 3, 12),
        (THREE, 1, 12, 3),
        (THREE, 1, 9, 6),
        (THREE, 2, 6, 9),
        (THREE, 2, 3, 12),
        (FOUR, 1, 12, 3),
        (FOUR, 1, 9, 6),
        (FOUR, 3, 6, 9),
        (FOUR, 3, 3, 12),
    ],
)
def test_5_2_a_point_is_the_neighbours_15_less_it(game: Trackgammon, seat: int, theirs: int, mine: int) -> None:
    for point in CENTRE_POINTS[Centres.FOUR]:
        assert landed_on(game, point, seat, theirs) is (point != mine)


@pytest.mark.parametrize(("game", "seat"), [(THREE, 1), (FOUR, 1), (FOUR, 2)])
def test_5_2_who_is_not_at_that_side_is_not_met_there(game: Trackgammon, seat: int) -> None:
    # Seat 1 sits at the left: its points 1 to 7 lie on its own left. Opposite players never meet.
    for theirs in (3, 6) if seat == 1 else range(1, 15):
        assert all(landed_on(game, point, seat, theirs) for point in CENTRE_POINTS[Centres.FOUR])


@pytest.mark.parametrize("centres", list(Centres))
def test_5_3_neighbours_meet_on_centre_points_only(centres: Centres) -> None:
    for point in range(1, 15):
        free = landed_on(track(2, centres), point, seat=1, theirs=15 - point)
        assert free is (point not in {Centres.FOUR: (3, 6, 9, 12), Centres.TWO: (5, 10)}[centres])
    assert track(2).view(track(2).start()).centres == (3, 6, 9, 12)


# -- A step


def test_5_4_only_the_top_disc_moves() -> None:
    assert broken(TWO, [START], (5, 3), "5:2@1-6 3:1@1-4") == "5.4"
    assert broken(TWO, ["4,1,1,1,1"], (5, 3), "5:2@1-6 3:1@4-7") is None
    # Seat 1's disc 1 lies on seat 0's disc 2, on the 6 of seat 0.
    assert broken(TWO, ["5,6,1,1,1", "9,1,1,1,1"], (5, 3), "5:2@6-11 3:1@5-8") == "5.4"
    assert broken(TWO, ["5,6,1,1,1", "8,1,1,1,1"], (5, 3), "5:2@6-11 3:1@5-8") is None


@pytest.mark.parametrize("words", ["5:2@2-7 3:1@1-4", "5:0@1-6 3:1@1-4", "5:6@1-6 3:1@1-4", "5:1@0-5 3:1@1-4"])
def test_5_4_a_disc_that_is_not_there_does_not_move(words: str) -> None:
    assert broken(TWO, [START], (5, 3), words) == "5.4"


@pytest.mark.parametrize(("roll", "wrong"), [((5, 3), 4), ((3, 5), 4), ((2, 2), 4)])
def test_5_5_numbers_are_those_of_the_roll(roll: Roll, wrong: int) -> None:
    assert broken(TWO, [START], roll, f"{wrong}:1@1-{1 + wrong}") == "5.5"


def test_5_5_each_number_once_and_in_any_order() -> None:
    assert broken(TWO, [START], (5, 3), "5:1@1-6 5:1@6-11") == "5.5"
    assert after(TWO, [START], (5, 3), "3:1@1-4 5:2@1-6") == after(TWO, [START], (3, 5), "3:1@1-4 5:2@1-6")


@pytest.mark.parametrize(("face", "reverse"), [(1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1)])
def test_5_5_a_double_gives_its_reverse_sides_too(face: int, reverse: int) -> None:
    for numbers in set(permutations([face, face, reverse, reverse])):
        # Disc 1 is alone on the track and goes up and down.
        point, words = 1, []
        for number in numbers:
            target = point + number if point + number <= 14 else 28 - point - number
            words.append(f"{number}:1@{point}-{target}")
            point = target
        assert broken(TWO, [START], (face, face), " ".join(words)) is None
    assert broken(TWO, [START], (face, face), f"{face}:1@1-{1 + face}") == "5.10"
    back_and_forth = f"{face}:1@1-{1 + face} {face}:1@{1 + face}-1 {face}:1@1-{1 + face}"
    assert broken(TWO, [START], (face, face), back_and_forth) == "5.5"


@pytest.mark.parametrize(
    ("origin", "number", "targets"),
    [
        (7, 4, [3, 11]),
        (10, 4, [6, 14]),
        (12, 5, [7, 11]),
        (3, 5, [4, 8]),
        (5, 4, [1, 9]),
        (1, 6, [7]),
        (14, 6, [8]),
        (13, 2, [11, 13]),
        (2, 2, [2, 4]),
        (2, 6, [6, 8]),
    ],
)
def test_5_6_forwards_or_backwards_and_on_from_the_ends(origin: int, number: int, targets: list[int]) -> None:
    assert open_steps(TWO, [f"{origin},1,1,1,1"], number, 1) == targets


def test_5_6_a_step_may_end_where_it_began() -> None:
    assert after(TWO, ["13,9,1,1,1"], (2, 1), "2:1@13-13 1:1@13-14") == f"14,9,1,1,1 {START}"


def test_5_7_not_on_a_smaller_disc_whoever_owns_it() -> None:
    assert broken(TWO, ["4,1,1,1,1"], (5, 3), "3:2@1-4 5:1@4-9") == "5.7"
    assert broken(TWO, ["4,1,1,1,1"], (5, 3), "5:1@4-9 3:2@1-4") is None
    # Seat 1's disc 1 on 12 stands on seat 0's 3.
    assert broken(TWO, ["14,1,1,1,1", "12,1,1,1,1"], (2, 1), "2:2@1-3 1:1@14-13") == "5.7"


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "words"),
    [
        # Disc 3 walks from 4 over 6, where seat 1 has its disc 2 on its 9.
        ("14,14,4,1,1", "1,9,1,1,1", (4, 1), "4:3@4-8 1:1@14-13"),
        # The same, covered by a disc of the mover's: it bars the way nevertheless.
        ("6,14,4,1,1", "1,9,1,1,1", (4, 1), "4:3@4-8 1:2@14-13"),
        # On 12, past which the step comes on its way back from 14.
        ("1,1,13,1,1", "1,3,1,1,1", (4, 1), "4:3@13-11 1:1@1-2"),
        # On 3, on the way to 1 and back.
        ("14,14,4,1,1", "1,12,1,1,1", (5, 1), "5:3@4-3 1:1@14-13"),
        # Backwards.
        ("14,14,8,1,1", "1,9,1,1,1", (4, 1), "4:3@8-4 1:1@14-13"),
        # Nor can it stop on 14.
        ("1,1,1,1,11", "1,3,1,1,1", (6, 1), "6:5@11-14 1:1@1-2"),
    ],
)
def test_5_7_not_past_an_opponents_smaller_disc(mine: str, theirs: str, roll: Roll, words: str) -> None:
    assert broken(TWO, [mine, theirs], roll, words) == "5.7"
    assert broken(TWO, [mine, AWAY], roll, words) is None


def test_5_7_past_equal_and_larger_discs_and_past_ones_own() -> None:
    assert broken(TWO, ["14,14,4,1,1", "1,1,9,1,1"], (4, 1), "4:3@4-8 1:1@14-13") is None
    assert broken(TWO, ["14,14,4,1,1", "1,1,1,9,1"], (4, 1), "4:3@4-8 1:1@14-13") is None
    assert broken(TWO, ["6,7,4,1,1"], (4, 1), "4:3@4-8 1:1@6-5") is None


def test_5_8_an_equal_disc_is_captured_and_lies_by_size_on_its_owners_1() -> None:
    # Seat 1's disc 3 stands on seat 0's 6.
    assert after(TWO, ["14,14,4,1,1", "1,5,9,1,1"], (2, 1), "2:3@4-6x 1:1@14-13") == "13,14,6,1,1 1,5,1,1,1"
    # There it lies under its disc 1, and on its disc 4.
    assert broken(TWO, ["13,14,6,1,1", "1,5,1,1,1"], (2, 1), "2:3@1-3 1:2@5-6", seat=1) == "5.4"
    assert broken(TWO, ["13,14,6,1,1", "1,5,1,1,1"], (2, 1), "1:1@1-2 2:3@1-3", seat=1) is None


def test_5_8_a_capture_on_top_of_larger_discs() -> None:
    position = ["14,14,4,6,1", "1,1,9,1,1"]  # seat 0's disc 4 lies under seat 1's disc 3, on 6
    assert after(TWO, position, (2, 1), "2:3@4-6x 1:1@14-13") == "13,14,6,6,1 1,1,1,1,1"


def test_5_8_what_is_captured_bars_the_way_no_longer() -> None:
    position = ["4,14,5,1,1", "9,1,1,1,1"]
    assert broken(TWO, position, (2, 1), "2:3@5-7 1:1@4-5") == "5.7"
    doubled = ["5,14,4,1,1", "9,1,1,1,1"]
    assert after(TWO, doubled, (4, 1), "1:1@5-6x 4:3@4-8") == "6,14,8,1,1 1,1,1,1,1"
    assert broken(TWO, doubled, (4, 1), "4:3@4-8 1:1@5-6") == "5.7"


def test_5_8_each_neighbour_loses_its_own_disc() -> None:
    # Four seats: on seat 1's 6 stands seat 2's disc 2, on its 9 seat 0's.
    discs = ["1,6,1,1,1", "1,7,1,1,1", "1,9,1,1,1", START]
    assert after(FOUR, discs, (1, 2), "1:2@7-6x 2:1@1-3", 1) == "1,6,1,1,1 3,6,1,1,1 1,1,1,1,1 1,1,1,1,1"
    assert after(FOUR, discs, (2, 1), "2:2@7-9x 1:1@1-2", 1) == "1,1,1,1,1 2,9,1,1,1 1,9,1,1,1 1,1,1,1,1"


def test_5_8_a_false_claim_of_a_capture_is_refused() -> None:
    position = at(TWO, "14,14,4,1,1", "1,5,9,1,1")
    claimed = [step._replace(hit=True) for step in played("2:3@4-6 1:1@14-13")]
    refused = TWO.explain(position, 0, (2, 1), tuple(claimed))
    assert refused is not None
    assert (refused.rule, refused.field, refused.value) == ("5.8", "play[1]", "1:1@14-13x")
    assert TWO.explain(position, 0, (2, 1), (claimed[0], *played("1:1@14-13"))) is None


def test_5_9_landing_on_a_larger_disc_blocks_it() -> None:
    blocked = after(TWO, ["5,14,14,1,1", "1,9,1,1,1"], (1, 2), "1:1@5-6 2:2@14-12")
    assert blocked == "6,12,14,1,1 1,9,1,1,1"
    assert broken(TWO, blocked.split(" "), (3, 2), "3:2@9-12 2:1@1-3", seat=1) == "5.4"


# -- A turn


def test_5_10_no_number_may_be_passed() -> None:
    assert broken(TWO, [START], (5, 3), "5:1@1-6") == "5.10"
    assert broken(TWO, [START], (5, 3), "") == "5.10"
    assert broken(TWO, [START], (2, 2), "2:1@1-3 2:1@3-5 5:1@5-10") == "5.10"
    assert not TWO.must_pass(TWO.start(), 0, (6, 6))


def test_5_10_disc_1_always_can() -> None:
    # Every other disc of seat 0 is covered or barred.
    assert broken(TWO, ["3,3,3,3,3", "9,1,1,1,1"], (6, 5), "6:1@3-9 5:1@9-14") is None


def test_5_11_the_next_to_enter_is_the_largest_not_yet_on_14() -> None:
    assert broken(TWO, ["1,1,1,12,13"], (6, 1), "6:4@12-14 1:5@13-14") == "5.12"
    # Judged step by step: once disc 5 is in, disc 4 is next.
    assert broken(TWO, ["1,1,1,12,13"], (6, 1), "1:5@13-14 6:4@12-14") is None
    assert broken(TWO, ["1,1,12,13,14"], (6, 3), "6:4@13-14 3:3@12-14") is None
    assert broken(TWO, ["1,1,12,13,14"], (6, 3), "6:3@12-14 3:4@13-14") == "5.12"


def test_5_11_a_disc_moved_out_again_is_the_next_to_enter() -> None:
    assert broken(TWO, ["1,1,1,12,14"], (6, 1), "6:4@12-14 1:1@1-2") is None
    assert broken(TWO, ["1,1,1,12,14"], (6, 1), "1:5@14-13 6:4@12-14") == "5.12"
    assert broken(TWO, ["1,1,1,12,14"], (6, 1), "1:5@14-13 6:5@13-14") is None


def test_5_12_by_exact_count_but_for_the_next_to_enter() -> None:
    assert broken(TWO, ["11,1,1,1,12"], (3, 1), "3:1@11-14 1:5@12-13") is None
    assert broken(TWO, ["11,1,1,1,12"], (4, 1), "4:1@11-14 1:5@12-13") == "5.12"
    assert open_steps(TWO, ["1,1,1,1,11"], 6, 5) == [5, 11, 14]
    assert open_steps(TWO, ["1,1,1,11,1"], 6, 4) == [5, 11]


def test_5_12_the_remainder_may_be_counted_on_instead() -> None:
    assert after(TWO, ["1,1,1,1,12"], (5, 1), "5:5@12-11 1:1@1-2") == f"2,1,1,1,11 {START}"


def test_5_12_a_backward_step_discards_nothing() -> None:
    assert broken(TWO, ["1,1,1,1,5"], (6, 1), "6:5@5-14 1:1@1-2") == "5.6"
    assert open_steps(TWO, ["1,1,1,1,14"], 6, 5) == [8]


def test_5_12_14_must_be_free_of_smaller_discs() -> None:
    assert broken(TWO, ["14,1,1,1,11"], (6, 1), "6:5@11-14 1:1@14-13") == "5.7"
    assert broken(TWO, ["14,1,1,1,11"], (6, 1), "1:1@14-13 6:5@11-14") is None


def test_5_13_finishing_ends_the_turn_and_voids_the_rest() -> None:
    position = at(TWO, "13,14,14,14,14", START)
    assert broken(TWO, ["13,14,14,14,14"], (6, 1), "6:1@13-14") is None
    assert broken(TWO, ["13,14,14,14,14"], (6, 1), "1:1@13-14 6:1@14-8") == "5.13"
    finished = at(TWO, "14,14,14,14,14", START)
    assert TWO.outcome(finished, 0) == Finished(0)
    assert TWO.outcome(finished, 1) is None
    assert TWO.outcome(position, 0) is None
    assert TWO.must_pass(finished, 0, (2, 1))
    found = TWO.next_steps(position, 0, (6, 1), played("1:1@13-14"))
    assert found == NextSteps((), finished, complete=True)
    assert broken(TWO, ["13,14,14,14,14"], (1, 1), "1:1@13-14") is None
    # Nobody has to finish: with the 6 counted on, the 1 is owed.
    assert broken(TWO, ["13,14,14,14,14"], (6, 1), "6:1@13-9") == "5.10"
    assert broken(TWO, ["13,14,14,14,14"], (6, 1), "6:1@13-9 1:1@9-10") is None


def test_source_3_5_twice_bring_no_third_disc_8_steps_on() -> None:
    # Discs 1 and 2 go to 4 and 6 first, and then bar both ways of disc 3 (5.7); four steps are two discs' anyway.
    reached = {TWO.start()}
    for _ in range(2):
        reached = {result for position in reached for result in TWO.legal_plays(position, 0, (5, 3))}
    discs = [TWO.view(position).discs[0] for position in reached]
    assert (9, 9, 1, 1, 1) in discs
    assert all(found[2] != 9 and found.count(9) <= 2 for found in discs)


# -- What the game says of itself


def test_5_15_the_starter_throws_both_dice() -> None:
    assert TWO.starter_rolls


def test_5_16_a_win_is_always_single() -> None:
    assert TWO.top_level == 1
    assert TWO.lapse_level(TWO.start(), 1) == 1


def test_the_rulings_of_section_5_are_told() -> None:
    ours = ["5.2", "5.3", "5.7", "5.11", "5.12", "5.13", "5.14", "5.15", "5.16"]
    assert [note.rule for note in DESCRIPTION.rulings] == ours
    assert (list(DESCRIPTION.seats), DESCRIPTION.options) == ([2, 3, 4], ("centres",))


def test_the_view_is_what_stands_where() -> None:
    game = track(3, Centres.TWO)
    position = at(game, "2,3,4,5,6", "7,8,9,11,12", "10,13,14,1,2")
    discs = ((2, 3, 4, 5, 6), (7, 8, 9, 11, 12), (10, 13, 14, 1, 2))
    assert game.view(position) == TrackBoard(discs, (5, 10))


# -- Position text


@pytest.mark.parametrize("text", ["1,1,1,1,1 1,1,1,1,1", "14,13,12,11,10 2,14,9,7,14"])
def test_9_2_one_text_of_a_position(text: str) -> None:
    position = TWO.parse(text)
    assert isinstance(position, int)
    assert TWO.text(position) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1,1,1,1,1",
        "1,1,1,1,1 1,1,1,1,1 1,1,1,1,1",
        "1,1,1,1,1  1,1,1,1,1",
        " 1,1,1,1,1 1,1,1,1,1",
        "1,1,1,1 1,1,1,1,1",
        "1,1,1,1,1,1 1,1,1,1,1",
        "1,1,1,1,1, 1,1,1,1,1",
        "1,1,,1,1 1,1,1,1,1",
        "0,1,1,1,1 1,1,1,1,1",
        "15,1,1,1,1 1,1,1,1,1",
        "01,1,1,1,1 1,1,1,1,1",
        "+1,1,1,1,1 1,1,1,1,1",
        "1,1,1,1,\u0661 1,1,1,1,1",
        "1;1;1;1;1 1,1,1,1,1",
    ],
)
def test_9_2_any_other_text_is_refused(text: str) -> None:
    refused = TWO.parse(text)
    assert isinstance(refused, Violation)
    assert (refused.rule, refused.field) == ("9.2", "position")


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (TWO, "3,1,1,1,1 12,1,1,1,1"),
        (TWO, "1,1,1,1,9 1,1,1,1,6"),
        (THREE, "1,12,1,1,1 1,1,1,1,1 1,3,1,1,1"),
        (FOUR, "1,1,1,1,1 1,1,1,1,1 1,1,6,1,1 1,1,9,1,1"),
        (track(2, Centres.TWO), "5,1,1,1,1 10,1,1,1,1"),
    ],
)
def test_9_3_no_equal_discs_on_one_centre_point(game: Trackgammon, text: str) -> None:
    refused = game.parse(text)
    assert isinstance(refused, Violation)
    assert (refused.rule, refused.field, refused.value) == ("9.3", "position", text)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (TWO, "3,1,1,1,1 1,12,1,1,1"),
        (TWO, "5,1,1,1,1 10,1,1,1,1"),
        (track(2, Centres.TWO), "3,1,1,1,1 12,1,1,1,1"),
        (THREE, "1,3,1,1,1 1,3,1,1,1 1,1,12,1,1"),
        (FOUR, "3,1,1,1,1 1,1,1,1,1 12,1,1,1,1 1,1,1,1,1"),
    ],
)
def test_9_3_what_only_looks_like_it_is_valid(game: Trackgammon, text: str) -> None:
    assert isinstance(game.parse(text), int)
