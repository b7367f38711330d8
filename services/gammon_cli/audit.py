"""`gammon audit`: recompute matches from what is stored, and name the first event that is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table
from rich.text import Text

from gammon_audit.audit import audit as audit_match
from gammon_audit.record import MatchRecord, Receipt
from gammon_audit.report import Report, Verdict, exit_code
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.receipts import read_receipts
from gammon_cli.screen import OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told
from gammon_cli.stored_match import match_service, read_stored
from gammon_client.errors import MatchNotFound
from gammon_client.match_client import MatchClient

STYLES = {"PASS": "green", "FAIL": "bold red", "INCOMPLETE": "yellow", "NOT CHECKED": "yellow"}


def audit(
    matches: Annotated[list[str] | None, typer.Argument(metavar="MATCH…", help="Match ids.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All matches of the store.")] = False,
    receipts: Annotated[
        Path | None, typer.Option(help="JSON lines {match, sequence, hash}: what clients were told.")
    ] = None,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Audit matches: chain, law, results, dice. Exit 1 if any check of any match fails."""
    if bool(matches) == every:
        raise typer.BadParameter("name matches, or give --all")
    with told():
        kept = read_receipts(receipts) if receipts is not None else []
        reports = asyncio.run(_audit_all(read_endpoints(endpoints, tls_ca), matches or [], every, kept, as_json))
    if not as_json:
        show_reports(reports)
    raise typer.Exit(exit_code(reports))


async def _audit_all(
    endpoints: Endpoints, matches: Sequence[str], every: bool, receipts: Sequence[Receipt], as_json: bool
) -> list[Report]:
    reports = []
    async with match_service(endpoints) as client:
        async for match_id in _match_ids(client, matches, every, receipts):
            report = audit_match(await _stored(client, match_id, receipts), receipts)
            if as_json:
                print_json(report.to_json())
            reports.append(report)
    return reports


async def _match_ids(
    client: MatchClient, matches: Sequence[str], every: bool, receipts: Sequence[Receipt]
) -> AsyncIterator[str]:
    if not every:
        for match_id in dict.fromkeys(matches):
            yield match_id
        return
    missing = {receipt.match_id for receipt in receipts}
    async for listing in client.list_matches():
        missing.discard(listing.match_id)
        yield listing.match_id
    # A match that somebody holds a receipt for and the store no longer has is looked at too.
    for match_id in sorted(missing):
        yield match_id


async def _stored(client: MatchClient, match_id: str, receipts: Sequence[Receipt]) -> MatchRecord:
    try:
        return await read_stored(client, match_id)
    except MatchNotFound:
        if any(receipt.match_id == match_id for receipt in receipts):
            return MatchRecord(match_id, (), 0, b"")
        raise


def show_reports(reports: Sequence[Report]) -> None:
    """One match with all its checks, or several with a line each."""
    if not reports:
        OUT.print("There are no matches.")
        return
    if len(reports) == 1:
        OUT.print(_checks_table(reports[0]))
    else:
        # Ids are for copying, so they stay in one piece.
        match_column = Column("match", no_wrap=True)
        table = Table(match_column, "verdict", "first wrong event, or what was not checked")
        for report in reports:
            table.add_row(Text(report.match_id), _verdict(report.verdict), Text("; ".join(_remarks(report))))
        OUT.print(table)


def _checks_table(report: Report) -> Table:
    table = Table("check", "verdict", "finding", title=f"{report.match_id}: {report.verdict}")
    for check in report.checks:
        table.add_row(Text(check.name), _verdict(check.verdict.value), Text(check.detail))
    return table


def _remarks(report: Report) -> Iterator[str]:
    first = report.first_wrong
    if first is not None:
        yield first.detail if first.sequence is None else f"event {first.sequence}: {first.detail}"
        return
    # Why, is in the table of the match alone, and in the JSON.
    yield ", ".join(check.name for check in report.checks if check.verdict is Verdict.NOT_CHECKED)


def _verdict(verdict: str) -> Text:
    return Text(verdict, style=STYLES.get(verdict, ""))
