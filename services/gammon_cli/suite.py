"""All roles and their store as child processes, which end with this one whatever ends it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gammon_cli.endpoints import FILE, ROLES, Endpoints
from gammon_cli.health import check_health
from gammon_shell.children import Children, ChildSpec
from gammon_shell.config import RoleConfig
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import SigningKey, write_secret

HOST = "127.0.0.1"
LOG = "suite.log"
KEYS = ("signing-key.pem", "public-key.pem")
TOKEN, SERVICE_TOKEN = "token", "service-token"
HEALTHY_WITHIN_S = 20.0
# Tokens are good for a day.
RENEW_EVERY_S = 3600.0
# What the store promises decides what the match service may.
FLOORS = {"always": "fsynced", "everysec": "accepted"}
# Whoever starts a suite may do everything in it.
OWNER_ROLES = ("auditor", "operator", "player")


@dataclass(frozen=True, slots=True)
class ServedTls:
    """PEM files: certificate chain and private key of the roles, for their host, and the authority they believe."""

    certificate: Path
    key: Path
    ca: Path


@dataclass(frozen=True, slots=True)
class Plan:
    """What to start and where.

    `redis_url`: empty for the embedded store. `ports`: by role, or `store`; 0 is any that is free. `tls`: None for
    plain text, which does not leave this machine.
    """

    directory: Path
    redis_url: str = ""
    appendfsync: str = "always"
    ports: Mapping[str, int] = field(default_factory=dict)
    tls: ServedTls | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite that runs. `key` signs tokens; `log` has what all roles log."""

    endpoints: Endpoints
    key: SigningKey
    children: Children
    log: Path

    def token(self, subject: str, *roles: str) -> str:
        """A token for anybody, with any roles."""
        return make_token(self.key, subject, roles)


@asynccontextmanager
async def running_suite(plan: Plan, on_step: Callable[[str], None] = lambda _: None) -> AsyncIterator[Suite]:
    """Starts everything and waits until all of it is healthy; at the end stops it.

    Keys, token, log and endpoints file go to the plan's directory; keys that are there already are used again, so that
    tokens outlive a restart. `on_step` is told what is started: store, rules, match, rating.

    Raises:
        RefusedToStart: the text says which role, and what is wrong as far as this process knows.
    """
    plan.directory.mkdir(parents=True, exist_ok=True)
    key = _key(plan.directory)
    _write_tokens(plan.directory, key)
    endpoints_file = plan.directory / FILE
    with (plan.directory / LOG).open("ab") as log:
        children = Children(log)
        renewing = asyncio.create_task(_renew_tokens(plan.directory, key))
        try:
            endpoints = await _start(plan, children, on_step)
            await _healthy(endpoints)
            endpoints.write(endpoints_file)
            try:
                yield Suite(endpoints, key, children, plan.directory / LOG)
            finally:
                endpoints_file.unlink(missing_ok=True)
        finally:
            renewing.cancel()
            await children.stop()


def make_token(key: SigningKey, subject: str, roles: Iterable[str]) -> str:
    """A token that the roles of a suite with this key believe."""
    defaults = RoleConfig.model_fields
    return key.token(subject, roles, defaults["auth_issuer"].default, defaults["auth_audience"].default)


async def _start(plan: Plan, children: Children, on_step: Callable[[str], None]) -> Endpoints:
    directory = plan.directory.resolve()
    redis_url = plan.redis_url
    if not redis_url:
        on_step("store")
        redis_url = f"redis://{HOST}:{await children.start(_store_spec(plan, directory))}/0"
    # A suite that was killed left its own behind; one that runs would have kept the store.
    (directory / FILE).unlink(missing_ok=True)
    targets = {"rules": "", "match": "", "rating": ""}
    tls_ca = _absolute(plan.tls.ca) if plan.tls else ""
    for role in ROLES:
        on_step(role)
        environment = {
            "GAMMON_HOST": HOST,
            "GAMMON_PORT": str(plan.ports.get(role, 0)),
            "GAMMON_AUTH_PUBLIC_KEY": str(directory / KEYS[1]),
            "GAMMON_SERVICE_TOKEN_FILE": str(directory / SERVICE_TOKEN),
            "GAMMON_REDIS_URL": redis_url,
            "GAMMON_RULES_TARGET": targets["rules"],
            "GAMMON_MATCH_TARGET": targets["match"],
            "GAMMON_DURABILITY": FLOORS[plan.appendfsync],
            # The roles get our environment too, and these may be meant for other suites.
            **dict.fromkeys(("GAMMON_AUTH_JWKS_URL", "GAMMON_AUTH_ISSUER", "GAMMON_AUTH_AUDIENCE"), ""),
            "GAMMON_TLS_CERTIFICATE": _absolute(plan.tls.certificate) if plan.tls else "",
            "GAMMON_TLS_KEY": _absolute(plan.tls.key) if plan.tls else "",
            "GAMMON_TLS_CA": tls_ca,
        }
        spec = ChildSpec(role, (sys.executable, "-m", f"gammon_{role}"), environment)
        targets[role] = f"{HOST}:{await children.start(spec)}"
    store = "" if plan.redis_url else redis_url
    return Endpoints(**targets, token_file=str(directory / TOKEN), store=store, tls_ca=tls_ca)


def _absolute(path: Path) -> str:
    return str(path.resolve())


def _store_spec(plan: Plan, directory: Path) -> ChildSpec:
    command = (
        *(sys.executable, "-m", "gammon_shell.embedded_store"),
        *("--data", str(directory / "store")),
        *("--port", str(plan.ports.get("store", 0))),
        *("--appendfsync", plan.appendfsync),
    )
    return ChildSpec("store", command, {})


async def _healthy(endpoints: Endpoints) -> None:
    waiting = set(ROLES)
    try:
        async with asyncio.timeout(HEALTHY_WITHIN_S):
            while waiting:
                checks = [check_health(role, endpoints) for role in ROLES if role in waiting]
                waiting -= {health.role for health in await asyncio.gather(*checks) if health.well}
                if waiting:
                    await asyncio.sleep(0.05)
    except TimeoutError:
        raise RefusedToStart(f"not healthy within {HEALTHY_WITHIN_S:.0f} s: {', '.join(waiting)}") from None


def _key(directory: Path) -> SigningKey:
    private, public = (directory / name for name in KEYS)
    if not private.exists() or not public.exists():
        made = SigningKey.make()
        write_secret(private, made.private_pem)
        public.write_bytes(made.public_pem)
    return SigningKey(private.read_bytes(), public.read_bytes())


def _write_tokens(directory: Path, key: SigningKey) -> None:
    for name, subject, roles in (
        (TOKEN, "owner", OWNER_ROLES),
        (SERVICE_TOKEN, "match-service", ("service",)),
    ):
        # In one go: the services read these files at any time.
        draft = directory / f"{name}.new"
        write_secret(draft, make_token(key, subject, roles).encode())
        draft.replace(directory / name)


async def _renew_tokens(directory: Path, key: SigningKey) -> None:
    while True:
        await asyncio.sleep(RENEW_EVERY_S)
        _write_tokens(directory, key)
