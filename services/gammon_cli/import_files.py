"""`gammon import`: public match records into the ledger, one match a file."""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.local_names import LocalNames, NamesOption, NamesUnusable, local_names
from gammon_cli.screen import ERR, FOUND_WRONG, OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told
from gammon_cli.stored_match import match_service
from gammon_client.errors import Conflict, LedgerError, RoleRequired, Unauthenticated, Unavailable
from gammon_client.match_client import MatchClient
from gammon_records.follow import read_mat
from gammon_records.players import player_references
from gammon_records.record import Record
from gammon_records.refused import Refused, Warned
from gammon_records.wire_record import import_parts

# Two importers of one file overtake each other; what one of them stored, the other need not.
TRIES = 5
# A store that writes through takes its time for every act; with several files at once it writes for all of them.
AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Imported:
    """A file that is a match now. `known`: it was one before."""

    file: str
    match_id: str
    known: bool
    warnings: tuple[Warned, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        warnings = [{"line": warned.line, "text": warned.text} for warned in self.warnings]
        return {"file": self.file, "match": self.match_id, "warnings": warnings}


@dataclass(frozen=True, slots=True)
class NotImported:
    """A file that is none: the line, 0 where it is no line's fault, and the reason."""

    file: str
    line: int
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"file": self.file, "error": {"line": self.line, "reason": self.reason}}


def import_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="MAT text of any program.")],
    names: NamesOption = None,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import match records (MAT); the same file again is the same match. Exit 1 if any is refused."""
    with told():
        try:
            outcomes = asyncio.run(_import_all(read_endpoints(endpoints, tls_ca), local_names(names), files, as_json))
        except NamesUnusable as error:
            raise typer.BadParameter(str(error), param_hint="--names") from None
    refused = sum(isinstance(outcome, NotImported) for outcome in outcomes)
    if not as_json:
        OUT.print(f"{len(outcomes) - refused} of {len(outcomes)} files imported.", highlight=False)
    raise typer.Exit(FOUND_WRONG if refused else 0)


async def _import_all(
    endpoints: Endpoints, names: LocalNames, files: Sequence[Path], as_json: bool
) -> list[Imported | NotImported]:
    outcomes = []
    columns = (TextColumn("Importing {task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # The bar goes to the terminal, the lines to whoever reads the output.
    with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as progress:
        bar = progress.add_task("", total=len(files))
        async with match_service(endpoints) as client:
            async for outcome in _outcomes(Importer(client, names), files):
                progress.update(bar, description=Path(outcome.file).name, advance=1)
                outcomes.append(outcome)
                _tell(outcome, as_json)
    return outcomes


async def _outcomes(importer: Importer, files: Sequence[Path]) -> AsyncIterator[Imported | NotImported]:
    """In the order of the files, several at once."""
    waiting: deque[asyncio.Task[Imported | NotImported]] = deque()
    try:
        for file in files:
            waiting.append(asyncio.create_task(importer.import_file(file)))
            if len(waiting) == AT_ONCE:
                yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()
    finally:
        for task in waiting:
            task.cancel()


@dataclass(frozen=True, slots=True)
class Importer:
    """Reads files and sends them. `sending`: a file that is there twice is sent once, and then found."""

    client: MatchClient
    names: LocalNames
    sending: defaultdict[bytes, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    async def import_file(self, file: Path) -> Imported | NotImported:
        """One file, whole or not at all. Raises LedgerError where that is no fault of the file, and NamesUnusable."""
        try:
            content = file.read_bytes()
        except OSError as error:
            return NotImported(str(file), 0, f"cannot be read: {error.strerror}")
        record = read_mat(content)
        if isinstance(record, Refused):
            return NotImported(str(file), record.line, record.reason)
        digest = hashlib.sha256(content).digest()
        try:
            async with self.sending[digest]:
                return await self._send(str(file), digest, record)
        except (Unavailable, Unauthenticated, RoleRequired):
            raise
        except LedgerError as error:
            faults = "; ".join(f"{fault.field}: {fault.description}" for fault in error.fields)
            return NotImported(str(file), int(error.metadata.get("line", 0)), faults or error.message)

    async def _send(self, file: str, digest: bytes, record: Record) -> Imported:
        references = player_references(self.names.key(), record.names, digest)
        parts = import_parts(record, digest, references)
        for attempt in range(1, TRIES + 1):
            try:
                done = await self.client.import_record(parts)
            except Conflict:
                if attempt == TRIES:
                    raise
            else:
                break
        self.names.remember(dict(zip(references, record.names, strict=True)))
        return Imported(file, done.match.match_id, done.repeated_request, record.warnings)


def _tell(outcome: Imported | NotImported, as_json: bool) -> None:
    if as_json:
        print_json(outcome.to_json())
        return
    match outcome:
        case Imported(file, match_id, known, warnings):
            again = " (known before)" if known else ""
            OUT.print(f"{file}: {match_id}{again}", markup=False, highlight=False, soft_wrap=True)
            for warned in warnings:
                text = f"  line {warned.line}: {warned.text}"
                OUT.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)
        case NotImported(file, line, reason):
            where = f"line {line}: " if line else ""
            OUT.print(f"{file}: refused: {where}{reason}", style="red", markup=False, highlight=False, soft_wrap=True)
