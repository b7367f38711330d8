"""`gammon up`: the whole suite on this machine until it is stopped."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from gammon_cli.endpoints import FILE, ROLES, USUAL
from gammon_cli.screen import ERR, FOUND_WRONG, OUT, told
from gammon_cli.suite import LOG, Plan, ServedTls, Suite, running_suite


class Appendfsync(StrEnum):
    """When the embedded store writes to disk."""

    ALWAYS = "always"
    EVERYSEC = "everysec"


Port = Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")]
RedisUrl = Annotated[
    str, typer.Option(envvar="GAMMON_REDIS_URL", help="A server of yours instead of the embedded store.")
]


def up(
    data: Annotated[
        Path | None, typer.Option(help="Directory that keeps everything. Without: a temporary one.")
    ] = None,
    appendfsync: Annotated[
        Appendfsync, typer.Option(help="When the store writes to disk, and so what the services promise.")
    ] = Appendfsync.ALWAYS,
    redis_url: RedisUrl = "",
    rules_port: Port = 0,
    match_port: Port = 0,
    rating_port: Port = 0,
    store_port: Port = 0,
    tls_certificate: Annotated[
        Path | None,
        typer.Option(envvar="GAMMON_TLS_CERTIFICATE", help="PEM file for TLS: certificate chain for 127.0.0.1."),
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(envvar="GAMMON_TLS_KEY", help="PEM file: its private key.")] = None,
    tls_ca: Annotated[
        Path | None, typer.Option(envvar="GAMMON_TLS_CA", help="PEM file: the authority that signed it.")
    ] = None,
) -> None:
    """Run store, rules, match and rating on this machine; end with exit 1 if one of them ends."""
    tls = _served_tls(tls_certificate, tls_key, tls_ca)
    ports = {"rules": rules_port, "match": match_port, "rating": rating_port, "store": store_port}
    with directory(data) as place, told(place / LOG):
        ended = asyncio.run(_run(Plan(place, redis_url, appendfsync.value, ports, tls)))
        if ended is not None:
            ERR.print(f"gammon: {ended[0]} ended with {ended[1]}; stopped the rest. Log: {place / LOG}", style="red")
            raise typer.Exit(FOUND_WRONG)


def _served_tls(certificate: Path | None, key: Path | None, ca: Path | None) -> ServedTls | None:
    """The files of TLS. An authority alone is for reaching other suites."""
    if certificate is None and key is None:
        return None
    if certificate is None or key is None or ca is None:
        raise typer.BadParameter("--tls-certificate, --tls-key and --tls-ca go together: the roles call each other")
    return ServedTls(certificate, key, ca)


@contextmanager
def directory(data: Path | None) -> Iterator[Path]:
    """The directory that is named, or a temporary one that is gone afterwards."""
    if data is not None:
        yield data
        return
    with tempfile.TemporaryDirectory(prefix="gammon-") as temporary:
        yield Path(temporary)


async def _run(plan: Plan) -> tuple[str, int] | None:
    """Runs until a signal, then None; or until a role ends, then its name and exit code."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with running_suite(plan, lambda step: OUT.print(f"starting {step} …", style="dim")) as suite:
        _tell(plan.directory, suite)
        stopped = asyncio.create_task(stop.wait())
        ended = asyncio.create_task(suite.children.first_to_end())
        await asyncio.wait((stopped, ended), return_when=asyncio.FIRST_COMPLETED)
        for task in (stopped, ended):
            task.cancel()
        return None if stop.is_set() else ended.result()


def _tell(place: Path, suite: Suite) -> None:
    table = Table("role", "target")
    if suite.endpoints.store:
        table.add_row("store", suite.endpoints.store)
    for role in ROLES:
        table.add_row(role, suite.endpoints.target(role))
    OUT.print(table)
    file = (place / FILE).resolve()
    found = "by themselves from here, elsewhere " if file == USUAL.resolve() else ""
    for line in (
        f"Ready. Other commands reach it {found}by one of",
        f"  --endpoints {file}",
        f"  GAMMON_ENDPOINTS={file}",
        f"Token: {_from_here(Path(suite.endpoints.token_file))}. Log: {_from_here(suite.log)}.",
        "Ctrl-C stops it.",
    ):
        OUT.print(line, highlight=False, soft_wrap=True)


def _from_here(path: Path) -> Path:
    whole, here = path.resolve(), Path.cwd()
    return whole.relative_to(here) if whole.is_relative_to(here) else whole
