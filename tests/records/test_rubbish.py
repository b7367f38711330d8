"""Whatever a file holds, reading it ends with a record, or with a line and a reason; what is read can be imported."""

from random import Random

from tests.records.importing import stored
from tests.records.mats import game, mat, row

from gammon_audit.report import Verdict
from gammon_records.follow import read_mat
from gammon_records.refused import Refused

SOURCE = mat(
    3,
    game(1, row(1, "31: 8/5 6/5", "62: 24/18 13/11"), row(2, " Doubles => 2", " Takes"), row(3, "43: 24/20 24/21")),
    game(
        2,
        row(1, "", "65: 24/18 18/13"),
        row(2, "66: 24/18(2) 13/7(2)", "21: 13/11 6/5"),
        row(3, "41: Cannot Move", "Resigns"),
        "      Wins 2 points and the match",
        right="Bob : 2",
    ),
    headers='; [Player 1 "Ann"]\n; [Crawford "On"]',
).encode()
LETTERS = b" 0123456789:/*()=>\n\tabWDTRo?"


def mutated(random: Random) -> bytes:
    body = bytearray(SOURCE)
    for _ in range(random.randint(1, 5)):
        at = random.randrange(len(body))
        match random.randrange(4):
            case 0:
                body[at] = random.choice(LETTERS)
            case 1:
                del body[at : at + random.randint(1, 25)]
            case 2:
                other = random.randrange(len(body))
                body[at:at] = body[other : other + random.randint(1, 50)]
            case _:
                body[at] = random.randrange(256)
        body = body or bytearray(b" ")
    return bytes(body)


def test_rubbish_is_read_or_refused() -> None:
    random = Random(3)
    taken = 0
    for _ in range(3000):
        body = mutated(random)
        read = read_mat(body)
        if isinstance(read, Refused):
            assert read.line >= 1
            assert read.reason
        elif taken < 150:
            # The services judge it as the reader did.
            taken += 1
            report = stored(body).audited()
            assert {check.name for check in report.checks if check.verdict is Verdict.FAIL} <= {"record"}
    assert taken == 150
