"""Doubles, beavers, raccoons, Jacoby, Holland: rules.md section 6 and rows C1 to C24."""

import pytest
from tests.engine.script_words import ONE_EACH, ROLL_OFF, check, do, no, ok, script
from tests.engine.scripts import Script

SCRIPTS = [
    script(
        "C1 a drop scores for the doubler at the value before the double",
        [do(1, "double"), do(1, "roll", dice=[2, 1]), do(0, "drop")],
        {"1": no("6.2"), "2": ok(score=[2, 4], phase="opening", game=2, turn=None, over=None)},
        turn=1,
        score=[2, 3],
    ),
    script(
        "C2 the doubler may not answer, and the taker owns the cube",
        [do(0, "double"), do(0, "take"), do(0, "accept"), do(0, "drop"), do(1, "take"), do(0, "double")],
        {
            "1": no("6.2"),
            "2": no("6.2"),
            "3": no("6.2"),
            "4": ok(cube={"value": 2, "owner": 1}, phase="to_roll", turn=0),
            "5": no("6.1"),
        },
    ),
    script(
        "C4 C5 a drop ends the game, the cube back where it was: one point",
        [do(0, "double"), do(1, "drop"), do(1, "take")],
        {
            "0": ok(phase="doubled", cube={"value": 1, "owner": None}),
            "1": ok(score=[1, 0], cube={"value": 1, "owner": None}),
            "2": no("1.7"),
        },
    ),
    script(
        "C5 a redouble from four that is dropped is worth four",
        [do(0, "double"), do(1, "drop")],
        {"1": ok(score=[4, 0])},
        cube={"value": 4, "owner": 0},
    ),
    script(
        "C8 a dead cube may be turned",
        [do(0, "double"), do(1, "take")],
        {"1": ok(cube={"value": 8, "owner": 1})},
        match={"points": 5},
        score=[2, 0],
        cube={"value": 4, "owner": 0},
    ),
    script(
        "C12 C24 under jacoby an undoubled gammon is single",
        [do(0, "roll", dice=[6, 5]), do(0, "play", text="2/off")],
        {"1": ok(score=[1, -1])},
        session={"games": 2, "jacoby": True},
        position="2:1,off:14 6:15",
    ),
    script(
        "C12 a taken double lets it count",
        [do(0, "double"), do(1, "take"), do(0, "roll", dice=[6, 5]), do(0, "play", text="2/off")],
        {"3": ok(score=[4, -4])},
        session={"games": 2, "jacoby": True},
        position="2:1,off:14 6:15",
    ),
    script(
        "C24 the loser has borne off none: a gammon",
        [do(0, "roll", dice=[6, 5]), do(0, "play", text="2/off")],
        {"1": ok(score=[2, 0])},
        position="2:1,off:14 6:15",
    ),
    script(
        "C24 and one left in the winner's home: a backgammon, times the cube",
        [do(0, "roll", dice=[6, 5]), do(0, "play", text="2/off")],
        {"1": ok(score=[6, 0])},
        position="2:1,off:14 20:1,6:14",
        cube={"value": 2, "owner": 1},
    ),
    script(
        "C13 beaver and raccoon: the cube stays with the beaverer",
        [
            do(0, "double"),
            do(1, "beaver"),
            do(0, "raccoon"),
            do(0, "accept"),
            do(1, "accept"),
            do(0, "double"),
        ],
        {
            "1": ok(phase="beavered", cube={"value": 4, "owner": 1}),
            "2": ok(phase="raccooned", cube={"value": 8, "owner": 1}),
            "3": no("6.7"),
            "4": ok(phase="to_roll", turn=0, cube={"value": 8, "owner": 1}),
            "5": no("6.1"),
        },
        session={"games": 2, "beavers": True, "raccoons": True},
    ),
    script(
        "6.6 an accepted beaver; a redouble may be beavered as well",
        [
            do(0, "double"),
            do(1, "beaver"),
            do(1, "accept"),
            do(0, "accept"),
            do(0, "roll", dice=[2, 1]),
            do(0, "play", text="13/11 6/5"),
            do(1, "double"),
            do(0, "beaver"),
        ],
        {
            "2": no("6.6"),
            "3": ok(phase="to_roll", turn=0, cube={"value": 4, "owner": 1}),
            "7": ok(phase="beavered", cube={"value": 16, "owner": 0}, turn=1),
        },
        session={"games": 2, "beavers": True},
    ),
    script(
        "C14 the doubler drops the beaver: the stake as first doubled",
        [do(0, "double"), do(1, "beaver"), do(1, "drop"), do(0, "drop")],
        {"2": no("6.2"), "3": ok(score=[-2, 2])},
        session={"games": 2, "beavers": True},
    ),
    script(
        "6.7 the beaverer drops the raccoon: the stake as beavered",
        [do(0, "double"), do(1, "beaver"), do(0, "raccoon"), do(1, "drop")],
        {"3": ok(score=[4, -4])},
        session={"games": 2, "beavers": True, "raccoons": True},
    ),
    script(
        "6.6 6.7 beavers and raccoons only where agreed",
        [do(0, "double"), do(1, "beaver")],
        {"1": no("6.6")},
        session={"games": 2},
    ),
    script(
        "6.7 raccoons are agreed apart from beavers",
        [do(0, "double"), do(1, "beaver"), do(0, "raccoon")],
        {"2": no("6.7")},
        session={"games": 2, "beavers": True},
    ),
    script(
        "6.2 no resignation between double and answer",
        [do(0, "double"), do(1, "resign", level=1)],
        {"1": no("6.2")},
    ),
    script(
        "6.4 no cube in a match to one",
        [do(0, "double")],
        {"0": no("6.4")},
        match={"points": 1},
    ),
    script("6.4 cube off", [do(0, "double")], {"0": no("6.4")}, options={"cube": False}),
    script(
        "6.9 holland: each player rolls twice first; the opening counts, a passed turn too",
        [
            *ROLL_OFF,
            do(None, "open", dice=[3, 1]),
            do(0, "play", text="8/5 6/5"),
            do(1, "double"),
            do(1, "roll", dice=[3, 1]),
            do(1, "play", text="8/5 6/5"),
            do(0, "double"),
            do(0, "roll", dice=[2, 1]),
            do(0, "play", text="13/11 6/5"),
            do(1, "double"),
            do(1, "roll", dice=[2, 1]),
            do(1, "play", text="13/11 6/5"),
            do(0, "double"),
        ],
        {
            "1": ok(score=[2, 3], crawford=False),
            "4": no("6.9"),
            "7": no("6.9"),
            "10": no("6.9"),
            "13": ok(phase="doubled"),
        },
        match={"points": 4, "holland": True},
        position=ONE_EACH,
        score=[1, 3],
    ),
    script(
        "6.9 in a set-up everybody has rolled twice",
        [do(0, "double")],
        {"0": ok(phase="doubled")},
        match={"points": 4, "holland": True},
        score=[1, 3],
        crawford_played=True,
    ),
    script(
        "6.5 an owned cube in a set-up was taken",
        [do(0, "roll", dice=[6, 5]), do(0, "play", text="2/off")],
        {"1": ok(score=[4, -4])},
        session={"games": 2, "jacoby": True},
        position="2:1,off:14 6:15",
        cube={"value": 2, "owner": 0},
    ),
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script["about"])
def test_cube_script(script: Script) -> None:
    check(script)
