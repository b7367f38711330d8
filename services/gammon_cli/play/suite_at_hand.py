"""The suite that somebody plays on: one that runs, or else one of this terminal's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from gammon_cli.endpoints import FILE, USUAL, Endpoints, NoEndpoints, read_endpoints
from gammon_cli.health import UNREACHABLE, check_health
from gammon_cli.screen import OUT
from gammon_cli.suite import KEYS, Plan, make_token, running_suite
from gammon_client.calls import Token
from gammon_shell.identity import SigningKey

# Nobody listens where this fails so soon; what takes longer is only slow.
SURELY_GONE_MS = 1000.0
LOOKS = 4
LOOK_AGAIN_S = 1.0


@dataclass(frozen=True, slots=True)
class SuiteAtHand:
    """Where it is, and the key it believes if that lies beside its token.

    `reached_by`: the options by which other terminals reach it now. `later`: those by which it is reached when this
    terminal is gone; None: it is gone too.
    """

    endpoints: Endpoints
    key: SigningKey | None
    is_own: bool
    reached_by: str
    later: str | None

    def token(self, subject: str) -> Token:
        """A player's token; without the key the one of whoever started the suite."""
        return self.endpoints.token if self.key is None else make_token(self.key, subject, ("player",))


@asynccontextmanager
async def suite_at_hand(
    endpoints: Path | None, tls_ca: Path | None, data: Path | None, place: Path, *, may_start: bool
) -> AsyncIterator[SuiteAtHand]:
    """The suite of an endpoints file, or that which runs on `data` or in the usual place; else, if it may, one of its
    own in `place` until the end.

    Raises:
        NoEndpoints: there is none, or the one that is named does not answer.
        RefusedToStart: its own does not start.
    """
    file = endpoints or (data / FILE if data is not None else USUAL)
    option = f" --endpoints {file}" if file != USUAL else ""
    found = await _running(file, tls_ca)
    if found is not None:
        yield SuiteAtHand(found, _key(found), False, option, option)
        return
    if endpoints is not None or not may_start:
        read_endpoints(endpoints)
        raise NoEndpoints(f"the match service of {file} does not answer")
    later = f" --data {data}" if data is not None else None
    silent = f"The suite of {file} does not answer. " if file.exists() else ""
    OUT.print(f"{silent}Starting a suite of your own …", style="dim", highlight=False)
    async with running_suite(Plan(place)) as suite:
        yield SuiteAtHand(suite.endpoints, suite.key, True, f" --endpoints {place / FILE}", later)


async def _running(file: Path, tls_ca: Path | None) -> Endpoints | None:
    if not file.exists():
        return None
    endpoints = read_endpoints(file, tls_ca)
    for _ in range(LOOKS):
        health = await check_health("match", endpoints)
        if health.well:
            return endpoints
        if health.status == UNREACHABLE and health.ms < SURELY_GONE_MS:
            return None
        # It is there, and busy or not well for a moment.
        await asyncio.sleep(LOOK_AGAIN_S)
    return None


def _key(endpoints: Endpoints) -> SigningKey | None:
    """The key that `gammon up` leaves beside the token."""
    file = Path(endpoints.token_file).with_name(KEYS[0])
    try:
        return SigningKey.of(file.read_bytes())
    except OSError:
        return None
