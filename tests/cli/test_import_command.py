"""`gammon import` and `gammon export` against a running suite."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.cli.command import gammon, running_up
from tests.records.importing import record_of
from tests.records.mats import acts, game, mat, row

OPENED = row(1, "31: 8/5 6/5", "62: 24/18 13/11")
GOOD = mat(
    1, game(1, OPENED, row(2, "64: ????", "Wins 1 point and the match"), left="Jean Luc : 0", right="Pläyer B : 0")
)
ILLEGAL = mat(3, game(1, row(1, "65: 13/2 13/8", "42: 8/4 6/4"), row(2, "21: 13/11 6/5")))
BAD = mat(3, game(1, row(1, "65: 20/9", "42: 8/4 6/4")))


@dataclass(frozen=True)
class At:
    """A suite, and the directory with the files of these tests."""

    endpoints: Path
    files: Path

    def gammon(self, *arguments: str) -> tuple[int, str, str]:
        done = gammon(
            *arguments, GAMMON_ENDPOINTS=str(self.endpoints), GAMMON_NAMES=str(self.files / "names"), timeout=60
        )
        return done.returncode, done.stdout, done.stderr

    def file(self, name: str, text: str) -> str:
        path = self.files / name
        path.write_text(text, encoding="utf-8")
        return str(path)


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    with running_up(tmp_path_factory.mktemp("data"), "--appendfsync", "everysec") as up:
        yield At(up.endpoints, tmp_path_factory.mktemp("files"))


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_one_line_a_file_in_order_and_exit_1_if_any_is_refused(at: At) -> None:
    files = [
        at.file("good.mat", GOOD),
        at.file("bad.mat", BAD),
        at.file("illegal.mat", ILLEGAL),
        str(at.files / "none"),
    ]
    code, out, error = at.gammon("import", "--json", *files)
    assert (code, error) == (1, "")
    good, bad, illegal, none = lines(out)
    assert good == {"file": files[0], "match": good["match"], "warnings": []}
    assert bad == {
        "file": files[1],
        "error": {"line": 6, "reason": "20/9 cannot be played: there is no checker on point 20"},
    }
    assert illegal["match"] != good["match"]
    assert illegal["warnings"] == [
        {"line": 6, "text": "illegal play by seat 0, kept as the record has it"},
        {"line": 7, "text": "the record ends within game 1"},
    ]
    assert none["error"] == {"line": 0, "reason": "cannot be read: No such file or directory"}


def test_the_same_file_again_is_the_same_match(at: At) -> None:
    file, copy = at.file("good.mat", GOOD), at.file("copy.txt", GOOD)
    code, out, _ = at.gammon("import", "--json", file, copy, file)
    assert code == 0
    assert len({line["match"] for line in lines(out)}) == 1
    code, out, _ = at.gammon("import", file)
    assert code == 0
    assert "(known before)" in out
    assert "1 of 1 files imported." in out


def test_an_illegal_play_is_named_by_the_audit_and_nothing_else_fails(at: At) -> None:
    _, out, _ = at.gammon("import", "--json", at.file("illegal.mat", ILLEGAL))
    code, out, _ = at.gammon("audit", "--json", str(lines(out)[0]["match"]))
    assert code == 1
    (report,) = lines(out)
    checks = {check["name"]: check for check in report["checks"]}  # type: ignore[attr-defined]
    assert [name for name, check in checks.items() if check["verdict"] == "FAIL"] == ["record"]
    assert checks["record"]["detail"].startswith("game 1, row 1, line 6: seat 0 plays 6-5 as 13/2 13/8")


def test_export_has_the_names_of_this_machine_and_comes_back(at: At) -> None:
    _, out, _ = at.gammon("import", "--json", at.file("good.mat", GOOD))
    match = str(lines(out)[0]["match"])
    code, text, error = at.gammon("export", match, "--mat")
    assert (code, error) == (0, "")
    assert " Jean Luc : 0                   Pläyer B : 0\n" in text
    assert acts(record_of(text)) == acts(record_of(GOOD))
    out_file = at.files / "out.mat"
    assert at.gammon("export", match, "--mat", "--out", str(out_file))[0] == 0
    assert out_file.read_text(encoding="utf-8") == text
    # Without the names there are only references.
    code, text, _ = at.gammon("export", match, "--mat", "--names", str(at.files / "elsewhere"))
    assert code == 0
    assert "Jean" not in text
    assert record_of(text).names[0].startswith("p_")


def test_no_name_reaches_the_store(at: At) -> None:
    _, out, _ = at.gammon("import", "--json", at.file("good.mat", GOOD))
    code, out, _ = at.gammon("replay", "--json", str(lines(out)[0]["match"]))
    assert code == 0
    assert "Jean" not in out
    assert "p_" in out


def test_what_cannot_be_done_says_so(at: At) -> None:
    assert at.gammon("export", "m_000_AAAAAAAAAAAAAAAAAAAAAAAAAA", "--mat")[0] == 2
    code, _, error = at.gammon("export", "m_000_AAAAAAAAAAAAAAAAAAAAAAAAAA")
    assert code == 2
    assert "--mat" in error
    done = gammon("import", "x.mat", GAMMON_ENDPOINTS=str(at.files / "nowhere.json"))
    assert done.returncode == 2
    assert "no running suite found" in done.stderr
