"""`gammon direct`: words into rulings, on a suite that runs and without one."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
import typer
from tests.cli.command import gammon
from tests.e2e.play import ROLL, table
from tests.e2e.suite import Suite

from gammon.match.v1 import match_service_pb2 as pb
from gammon_cli.direct import read_ruling
from gammon_cli.endpoints import Endpoints
from gammon_client.match_client import DirectorRuling
from gammon_engine.referee.actions import Action, EndSession, Forfeit, Scope, SetScore, VoidGame
from gammon_wire.actions import action_to_proto


def read(text: str, level: int | None = None, whole_match: bool = False, crawford: bool = False) -> DirectorRuling:
    return read_ruling(text.split(), level, whole_match, crawford)


@pytest.mark.parametrize(
    ("text", "options", "action"),
    [
        ("void", {}, VoidGame()),
        ("score 3 2", {}, SetScore((Fraction(3), Fraction(2)))),
        ("score 3 2", {"crawford": True}, SetScore((Fraction(3), Fraction(2)), crawford_played=True)),
        ("score -3/2 1 1/2", {}, SetScore((Fraction(-3, 2), Fraction(1), Fraction(1, 2)))),
        ("forfeit 1", {"level": 2}, Forfeit(1, Scope.GAME, 2)),
        ("forfeit 2", {}, Forfeit(2, Scope.GAME)),
        ("forfeit 0", {"whole_match": True}, Forfeit(0, Scope.MATCH)),
        ("end-session", {}, EndSession()),
    ],
)
def test_words_of_the_law(text: str, options: dict[str, bool], action: Action) -> None:
    assert read(text, **options) == action_to_proto(action)


def test_the_word_for_closing() -> None:
    assert read("close") == pb.CloseRuling()
    assert (read("pause"), read("resume")) == (pb.PauseRuling(), pb.ResumeRuling())
    assert read("take-back 27") == pb.TakeBackRuling(to_sequence=27)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "void 1",
        "score",
        "score x 1",
        "score 1/5 1",
        "score 1/0 1",
        "forfeit",
        "forfeit 4",
        "forfeit one",
        "take-back",
        "take-back x",
    ],
)
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        read(text)


def test_options_of_other_rulings_are_refused() -> None:
    for options in ({"level": 1}, {"whole_match": True}, {"crawford": True}):
        with pytest.raises(typer.BadParameter):
            read("void", **options)


def test_a_reason_is_required() -> None:
    done = gammon("direct", "m_000_" + "A" * 26, "void")
    assert done.returncode == 2
    assert "--reason" in done.stderr


async def test_a_match_is_directed(own_suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(own_suite.token("owner", "operator"))
    rules, match, rating = (own_suite.target(role) for role in ("rules", "match", "rating"))
    Endpoints(rules, match, rating, str(tmp_path / "token")).write(tmp_path / "endpoints.json")
    there = ("--endpoints", str(tmp_path / "endpoints.json"))
    async with table(own_suite) as at:
        await at.clients[0].act(at.match_id, 0, ROLL)
        done = gammon("direct", at.match_id, "score", "1", "2", "--reason", "correction", "--json", *there)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        head = (await at.clients[0].get_match(at.match_id)).head
        assert told == {"match": at.match_id, "sequence": head.sequence, "hash": head.hash.hex()}
        refused = gammon("direct", at.match_id, "score", "9", "2", "--reason", "correction", *there)
        assert refused.returncode == 2
        assert "rule 7.1" in refused.stderr
        shown = gammon("replay", at.match_id, *there)
        assert "the director rules to put right what was wrong; the score is set to 1 : 2" in shown.stdout
        back = gammon("direct", at.match_id, "take-back", str(head.sequence - 2), "--reason", "correction", *there)
        assert back.returncode == 0, back.stderr
        assert gammon("direct", at.match_id, "close", "--reason", "absence", *there).returncode == 0
        audited = gammon("audit", at.match_id, *there)
        assert audited.returncode == 0, audited.stdout
