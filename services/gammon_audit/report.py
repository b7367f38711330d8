"""What an audit finds: each check PASS, FAIL or NOT CHECKED, and never a pass for what was not looked at."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Verdict(Enum):
    """What one check says."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_CHECKED = "NOT CHECKED"


@dataclass(frozen=True, slots=True)
class Check:
    """One check. A FAIL names the first event that is wrong, where it is an event."""

    name: str
    verdict: Verdict
    detail: str
    sequence: int | None = None


def passed(name: str, detail: str) -> Check:
    """A check that passed."""
    return Check(name, Verdict.PASS, detail)


def failed(name: str, sequence: int | None, detail: str) -> Check:
    """A check that failed at an event."""
    return Check(name, Verdict.FAIL, detail, sequence)


def not_checked(name: str, reason: str) -> Check:
    """A check that could not be made."""
    return Check(name, Verdict.NOT_CHECKED, reason)


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of a match."""

    match_id: str
    checks: tuple[Check, ...]

    @property
    def verdict(self) -> str:
        """FAIL if any check failed, PASS only if all passed, else INCOMPLETE."""
        verdicts = {check.verdict for check in self.checks}
        if Verdict.FAIL in verdicts:
            return "FAIL"
        return "PASS" if verdicts == {Verdict.PASS} else "INCOMPLETE"

    @property
    def first_wrong(self) -> Check | None:
        """The failed check with the lowest sequence; one without a sequence comes last."""
        return first_failed(self.checks)

    def to_json(self) -> dict[str, Any]:
        """Plain data: `{match, verdict, checks, first_wrong}`."""
        first = self.first_wrong
        return {
            "match": self.match_id,
            "verdict": self.verdict,
            "checks": [_check_to_json(check) for check in self.checks],
            "first_wrong": None
            if first is None
            else {"sequence": first.sequence, "check": first.name, "detail": first.detail},
        }


def first_failed(checks: Iterable[Check]) -> Check | None:
    """The failed check with the lowest sequence; one without a sequence comes last."""
    return min((check for check in checks if check.verdict is Verdict.FAIL), key=_place, default=None)


def exit_code(reports: Iterable[Report]) -> int:
    """1 if any match fails, else 0."""
    return int(any(report.verdict == "FAIL" for report in reports))


def _place(check: Check) -> tuple[bool, int]:
    return (check.sequence is None, check.sequence or 0)


def _check_to_json(check: Check) -> dict[str, Any]:
    told: dict[str, Any] = {"name": check.name, "verdict": check.verdict.value, "detail": check.detail}
    if check.sequence is not None:
        told["sequence"] = check.sequence
    return told
