"""The public records kept beside the project, where they are: read, imported, audited, written and read again."""

from functools import cache
from pathlib import Path

import pytest
from tests.records.importing import CORPUS, Stored, corpus_files, stored

from gammon_audit.report import Verdict
from gammon_records.follow import read_mat
from gammon_records.record import Record
from gammon_records.refused import Refused

FILES = corpus_files()
# By hand, against the board: these and no others break the law.
ILLEGAL = {
    "5nqfGw9bWG3deTaU.mat": [(25, "14/10 13/12")],
    "hQ8sVn2LbTdF4wRm.mat": [(71, "14/8 15/10 6/8"), (98, "13/9 13/7"), (104, "7/1")],
}
# One match in the forms of two programs, or of one program and its source.
TWINS = [
    ("gbf-xg-gnubg/otb-7pt.mat", "gbf-xg-gnubg/otb-7pt.txt"),
    ("bglab-galaxy/galaxy-04-3pt.txt", "derived-gnubg/galaxy-04-3pt.gnubg.mat"),
    ("bglab-galaxy/galaxy-04-3pt.txt", "derived-gnubg/galaxy-04-3pt.snowie.txt"),
    ("gammonview-samples/B4_SrGcsKAQmoTyHlgJCbM.mat", "derived-gnubg/B4_SrGcsKAQmoTyHlgJCbM.gnubg.mat"),
    ("nodots-xg-mobile/xg-mobile-money.txt", "derived-gnubg/xg-mobile-money.gnubg.mat"),
]


@cache
def match(file: Path) -> Stored:
    return stored(file.read_bytes())


def boards(match: Stored) -> list[tuple[str, str]]:
    """Every position and score on the way, whatever the order of steps and dice."""
    ends = [(event.fact.game_ended.position, str(event.fact.game_ended.points)) for event in match.events]
    dice = ["".join(sorted(map(str, event.dice_drawn.faces))) for event in match.events if event.HasField("dice_drawn")]
    return [end for end in ends if end[0]] + [("dice", face) for face in dice]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_public_record_is_imported_and_audited(file: Path) -> None:
    read = read_mat(file.read_bytes())
    if isinstance(read, Refused):
        assert read.line > 0
        assert read.reason
        return
    report = match(file).audited()
    found = {check.name: check for check in report.checks if check.verdict is Verdict.FAIL}
    assert set(found) <= {"record"}, found
    illegal = ILLEGAL.get(file.name, [])
    assert ("record" in found) == bool(illegal)
    named = [
        (event.source_line, " ".join(f"{s.origin}/{s.target}" for s in event.fact.illegal_play_recorded.steps))
        for event in match(file).events
        if event.fact.HasField("illegal_play_recorded")
    ]
    assert named == illegal
    for line, play in illegal:
        assert f"line {line}: " in found["record"].detail
        assert play in found["record"].detail


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_public_record_comes_back_from_export(file: Path) -> None:
    if isinstance(read_mat(file.read_bytes()), Record):
        assert stored(match(file).mat()).facts() == match(file).facts()


@pytest.mark.parametrize("files", [pair for pair in TWINS if CORPUS.exists()])
def test_two_forms_of_a_match_are_one(files: tuple[str, str]) -> None:
    first, second = (match(CORPUS / name) for name in files)
    assert boards(first) == boards(second)


def test_nearly_all_public_records_are_imported() -> None:
    assert len(FILES) in (0, 53)
    refused = [file for file in FILES if isinstance(read_mat(file.read_bytes()), Refused)]
    assert len(refused) <= 2
