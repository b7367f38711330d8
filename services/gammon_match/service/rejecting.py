"""Turning a request away."""

from typing import NoReturn

from gammon_match.core.refusals import Refusal
from gammon_match.service.refusal_table import rejection
from gammon_match.service.requests import Faults
from gammon_shell.errors import Rejected


def check(faults: Faults) -> None:
    """Turns a request with faults away, all of them at once. Raises Rejected."""
    refusal = faults.refusal()
    if refusal is not None:
        reject(refusal)


def reject(refusal: Refusal) -> NoReturn:
    """Raises Rejected with the status of a refusal."""
    raise Rejected(rejection(refusal))
