"""`gammon status`: whether a running suite is well."""

from __future__ import annotations

import asyncio

import typer
from rich.table import Table

from gammon_cli.endpoints import ROLES, Endpoints, read_endpoints
from gammon_cli.health import Health, check_health
from gammon_cli.screen import FOUND_WRONG, OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told


def status(endpoints: EndpointsOption = None, tls_ca: TlsCaOption = None, as_json: JsonOption = False) -> None:
    """Show the health of all roles; exit 0 when all are healthy."""
    with told():
        found = asyncio.run(_all(read_endpoints(endpoints, tls_ca)))
    well = all(health.well for health in found)
    if as_json:
        roles = {health.role: {"target": health.target, "status": health.status, "ms": health.ms} for health in found}
        print_json({"healthy": well, "roles": roles})
    else:
        table = Table("role", "target", "status", "ms")
        for health in found:
            style = "green" if health.well else "red"
            table.add_row(health.role, health.target, f"[{style}]{health.status}[/]", f"{health.ms:.1f}")
        OUT.print(table)
    if not well:
        raise typer.Exit(FOUND_WRONG)


async def _all(endpoints: Endpoints) -> list[Health]:
    return list(await asyncio.gather(*(check_health(role, endpoints) for role in ROLES)))
