"""Turns, openings, matches, sessions and how games end: rules.md sections 7 and 8."""

import pytest
from tests.engine.script_words import ONE_EACH, ROLL_OFF, START, check, do, no, ok, script
from tests.engine.scripts import Script, shared_scripts

SCRIPTS = [
    script(
        "C7 nothing is possible once the match is over",
        [
            *ROLL_OFF,
            do(1, "double"),
            do(1, "roll", dice=[1, 2]),
            do(1, "resign", level=1),
            do(None, "open", dice=[1, 2]),
        ],
        {
            "1": ok(phase="over", over={"kind": "match", "winners": [0]}, score=[7, 6], turn=None),
            **{str(number): no("7.1") for number in range(2, 6)},
        },
        position=ONE_EACH,
        score=[6, 6],
        crawford_played=True,
    ),
    script(
        "C9 exactly one Crawford game",
        [
            *ROLL_OFF,
            do(None, "open", dice=[1, 3]),
            do(1, "play", text="8/5 6/5"),
            do(0, "double"),
            do(0, "resign", level=1),
            do(1, "accept"),
            do(None, "open", dice=[1, 3]),
            do(1, "play", text="8/5 6/5"),
            do(0, "double"),
        ],
        {
            "1": ok(score=[2, 0], game=2, crawford=True),
            "4": no("7.2"),
            "6": ok(score=[2, 1], game=3, crawford=False),
            "9": ok(phase="doubled"),
        },
        match={"points": 3},
        position=ONE_EACH,
        score=[1, 0],
    ),
    script(
        "8.1 a resignation waits for its answer, and either seat may offer it",
        [
            do(1, "resign", level=2),
            do(1, "accept"),
            do(0, "roll", dice=[2, 1]),
            do(0, "resign", level=1),
            do(0, "decline"),
            do(1, "resign", level=4),
            do(1, "resign", level=0),
            do(1, "resign", level=3),
            do(0, "accept"),
        ],
        {
            "0": ok(phase="resigning", turn=0),
            "1": no("8.1"),
            "2": no("8.1"),
            "3": no("8.1"),
            "4": ok(phase="to_roll", turn=0, score=[0, 0]),
            "5": no("8.1"),
            "6": no("8.1"),
            "8": ok(score=[3, 0], game=2),
        },
    ),
    script(
        "8.1 a declined resignation gives the roll back",
        [
            do(0, "roll", dice=[2, 1]),
            do(0, "resign", level=1),
            do(1, "decline"),
            do(0, "play", text="13/11 6/5"),
        ],
        {"1": ok(phase="resigning"), "2": ok(phase="to_play", dice=[2, 1]), "3": ok(phase="to_roll", turn=1)},
    ),
    script(
        "8.6 a settlement",
        [
            do(1, "settle", points="3/2", to=0),
            do(1, "accept"),
            do(0, "decline"),
            do(0, "settle", points="1", to=1),
            do(1, "accept"),
        ],
        {
            "0": ok(phase="settling"),
            "1": no("8.1"),
            "2": ok(phase="to_roll", score=[0, 0]),
            "4": ok(score=[-1, 1], game=2),
        },
        session={"games": 2},
    ),
    script("8.6 no settlement in a match", [do(0, "settle", points="1", to=0)], {"0": no("8.6")}),
    script(
        "8.3 a forfeited game, a forfeited match",
        [
            do(1, "forfeit", scope="game"),
            do(1, "forfeit", scope="game", level=2),
            do(0, "forfeit", scope="match"),
        ],
        {
            "0": no("8.3"),
            "1": ok(score=[2, 0], game=2),
            "2": ok(score=[2, 0], phase="over", over={"kind": "match", "winners": [1]}),
        },
    ),
    script(
        "8.4 a lapse in a match forfeits it",
        [do(0, "double"), do(1, "lapse")],
        {"1": ok(phase="over", over={"kind": "match", "winners": [0]}, score=[0, 0])},
    ),
    script(
        "8.4 a lapse in a session: times three while nothing is borne off",
        [do(0, "lapse"), do(None, "open", dice=[2, 1]), do(1, "lapse")],
        {"0": ok(score=[-6, 6], game=2), "2": ok(score=[-3, 3], game=3)},
        session={"games": 5},
        cube={"value": 2, "owner": 0},
    ),
    script(
        "8.4 times one after that, and jacoby applies",
        [do(0, "lapse")],
        {"0": ok(score=[-2, 2])},
        session={"games": 5},
        position="6:14,off:1 6:15",
        cube={"value": 2, "owner": 0},
    ),
    script(
        "8.4 6.5 a lapse under jacoby",
        [do(0, "lapse")],
        {"0": ok(score=[-1, 1])},
        session={"games": 5, "jacoby": True},
    ),
    script(
        "7.3 a session ends after its games",
        [
            *ROLL_OFF,
            do(None, "open", dice=[2, 1]),
            do(None, "end_session"),
            do(0, "resign", level=3),
            do(1, "accept"),
            do(0, "double"),
        ],
        {
            "3": no("7.3"),
            "5": ok(phase="over", over={"kind": "session", "winners": []}, score=[-2, 2], game=2),
            "6": no("7.3"),
        },
        session={"games": 2},
        position=ONE_EACH,
    ),
    script(
        "7.3 an open session is ended between games",
        [
            *ROLL_OFF,
            do(None, "open", dice=[4, 4]),
            do(None, "end_session"),
            do(None, "open", dice=[4, 3]),
            do(0, "resign", level=1),
            do(1, "accept"),
            do(None, "end_session"),
            do(None, "end_session"),
        ],
        {"3": no("7.3"), "7": ok(phase="over", score=[0, 0]), "8": no("7.3")},
        session={},
        position=ONE_EACH,
    ),
    script("7.3 a match is not ended so", [do(None, "end_session")], {"0": no("7.3")}),
    script(
        "1.5 the ruling on a roll without a legal step passes the turn",
        [do(0, "roll", dice=[6, 6]), do(0, "play", text="-"), do(1, "roll", dice=[6, 6])],
        {"0": ok(turn=1, phase="to_roll", dice=None), "1": no("1.3"), "2": ok(turn=1, phase="to_play")},
        position="bar:1,13:5,8:3,6:6 24:2,13:5,8:2,6:6",
    ),
    script(
        "turns, seats and dice are checked",
        [
            do(1, "roll", dice=[2, 1]),
            do(0, "roll", dice=[7, 1]),
            do(0, "roll", dice=[1]),
            do(2, "roll", dice=[2, 1]),
            do(1, "double"),
            do(0, "take"),
            do(0, "play", text="13/11 6/5"),
            do(0, "roll", dice=[1, 2]),
            do(1, "play", text="13/11 6/5"),
            do(0, "play", steps=[[2, 13, 11], [1, 6, 4]]),
            do(0, "double"),
            do(None, "open", dice=[2, 1]),
            do(0, "play", steps=[[2, 13, 11], [1, 6, 5]]),
        ],
        {
            "0": no("1.3"),
            "1": no("1.1"),
            "2": no("1.1"),
            "3": no("1.1"),
            "4": no("6.1"),
            "5": no("1.3"),
            "6": no("1.3"),
            "7": ok(phase="to_play", dice=[2, 1]),
            "8": no("1.3"),
            "9": no("1.2"),
            "10": no("1.3"),
            "11": no("1.3"),
            "12": ok(position="24:2,13:4,11:1,8:3,6:4,5:1 24:2,13:5,8:3,6:5", turn=1),
        },
    ),
    script(
        "acts of other games",
        [do(0, "choose", game="rungammon"), do(0, "stay"), do(0, "leave")],
        {"0": no("7.6"), "1": no("6.10"), "2": no("6.10")},
    ),
]

OPENING = [
    {
        "about": "6.9 holland before the Crawford game: no double on the first turn only",
        "game": "backgammon",
        "seats": 2,
        "match": {"points": 5, "holland": True},
        "actions": [
            do(None, "open", dice=[3, 1]),
            do(0, "double"),
            do(0, "play", text="8/5 6/5"),
            do(1, "double"),
        ],
        "expect": {"1": no("1.3"), "3": ok(phase="doubled")},
    },
    {
        "about": "8.1 a game may be resigned from the opening on",
        "game": "backgammon",
        "seats": 2,
        "match": {"points": 5},
        "actions": [do(1, "resign", level=1), do(0, "decline"), do(1, "resign", level=1), do(0, "accept")],
        "expect": {"0": ok(phase="resigning", turn=None), "1": ok(phase="opening"), "3": ok(score=[1, 0])},
    },
    {
        "about": "C16 automatic doubles, at most as many as agreed, by one action or several",
        "game": "backgammon",
        "seats": 2,
        "session": {"games": 3, "automatic_doubles": 1},
        "actions": [
            do(None, "open", dice=[4, 4]),
            do(0, "roll", dice=[4, 3]),
            do(None, "open", dice=[3, 3, 6]),
            do(None, "open", dice=[3, 3, 6, 1, 2, 1]),
            do(None, "open", dice=[3, 3]),
            do(None, "open", dice=[1, 6]),
        ],
        "expect": {
            "0": ok(phase="opening", cube={"value": 2, "owner": None}),
            "1": no("1.7"),
            "2": no("1.7"),
            "3": no("1.7"),
            "4": ok(phase="opening", cube={"value": 2, "owner": None}),
            "5": ok(phase="to_play", turn=1, dice=[6, 1], cube={"value": 2, "owner": None}),
        },
    },
    {
        "about": "C16 no automatic doubles in a match; C17 every game has its own opening",
        "game": "backgammon",
        "seats": 2,
        "match": {"points": 5},
        "actions": [
            do(None, "open", dice=[4, 4, 6, 1]),
            do(0, "resign", level=1),
            do(1, "accept"),
            do(0, "roll", dice=[6, 1]),
            do(None, "open", dice=[]),
            do(None, "open", dice=[0, 3]),
            do(None, "open", dice=[1, 2]),
        ],
        "expect": {
            "0": ok(cube={"value": 1, "owner": None}, turn=0),
            "2": ok(score=[0, 1], phase="opening", position=START, dice=None, turn=None),
            "3": no("1.7"),
            "4": no("1.7"),
            "5": no("1.7"),
            "6": ok(turn=1, dice=[2, 1]),
        },
    },
]


@pytest.mark.parametrize(
    "script", [*SCRIPTS, *OPENING, *shared_scripts()], ids=lambda script: script["about"]
)
def test_match_script(script: Script) -> None:
    check(script)
