"""Records imported in this process: the match service's own handler, the law itself, the memory store."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.match.in_process import PARTITIONS, Desk

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord, RawEvent
from gammon_audit.report import Check, Report
from gammon_match.app.import_match import ImportedMatch, ImportMatchHandler
from gammon_match.app.import_match import Record as ServiceRecord
from gammon_match.app.ports import Recorded
from gammon_match.core.refusals import Refusal
from gammon_match.service.record import read_record
from gammon_records.follow import read_mat
from gammon_records.mat_writer import write_mat
from gammon_records.players import player_references
from gammon_records.record import Record
from gammon_records.told_match import sheet_of
from gammon_records.wire_record import import_parts

KEY = bytes(range(32))
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "matches"
TEXT_FOLDERS = ("bglab-galaxy", "bglab-studio", "lazybg-text")


def corpus_files() -> list[Path]:
    """The public records kept beside the project, where they are."""
    texts = [file for folder in TEXT_FOLDERS for file in (CORPUS / folder).glob("*.txt")]
    return sorted([*CORPUS.glob("*/*.mat"), *(file for file in texts if file.name != "UPSTREAM-LICENCE.txt")])


def record_of(text: str | bytes) -> Record:
    """A record that can be followed."""
    record = read_mat(text if isinstance(text, bytes) else text.encode())
    assert isinstance(record, Record), record
    return record


@dataclass(frozen=True)
class Stored:
    """A match as it was stored."""

    match_id: str
    events: tuple[events_pb2.Envelope, ...]
    record: MatchRecord

    def facts(self) -> list[str]:
        """What happened by the law, as text to compare: dice, plays, cube actions, results."""
        return [str(event.fact) for event in self.events if event.HasField("fact")]

    def audited(self) -> Report:
        """Everything recomputed."""
        return audit(self.record)

    def check(self, name: str) -> Check:
        """One check of the audit."""
        (found,) = [check for check in self.audited().checks if check.name == name]
        return found

    def mat(self, names: tuple[str, str] = ("Ann", "Bob")) -> str:
        """The match written as MAT."""
        sheet = sheet_of([event.envelope for event in self.record.events])
        return write_mat(sheet, names, self.match_id)


def stored(content: str | bytes, desk: Desk | None = None) -> Stored:
    """Imports a file that must be taken."""
    done = asyncio.run(imported(content, desk or Desk()))
    assert isinstance(done, Stored), done
    return done


async def imported(content: str | bytes, desk: Desk) -> Stored | Refusal:
    """Imports a file that can be followed."""
    body = content if isinstance(content, bytes) else content.encode()
    digest = hashlib.sha256(body).digest()
    record = record_of(body)
    parts = import_parts(record, digest, player_references(KEY, record.names, digest))
    return await imported_parts(parts, desk)


async def imported_parts(parts: Sequence[pb.ImportMatchRequest], desk: Desk) -> Stored | Refusal:
    """Imports the parts of a record."""
    read = await read_record(_stream(parts), "operator")
    if not isinstance(read, ServiceRecord):
        return read
    handler = ImportMatchHandler(desk.law, desk.live, desk.recorder, desk.codec, PARTITIONS)
    done = await handler(read)
    if not isinstance(done, ImportedMatch):
        return done
    kept = await desk.store.read(done.live.match_id)
    assert isinstance(kept, Recorded)
    assert kept.head is not None
    raw = tuple(RawEvent(event.sequence, event.envelope, event.hash) for event in kept.events)
    envelopes = tuple(events_pb2.Envelope.FromString(event.envelope) for event in raw)
    return Stored(
        done.live.match_id, envelopes, MatchRecord(done.live.match_id, raw, kept.head.sequence, kept.head.hash)
    )


async def _stream(parts: Sequence[pb.ImportMatchRequest]) -> AsyncIterator[pb.ImportMatchRequest]:
    for part in parts:
        # As it comes over the wire.
        yield pb.ImportMatchRequest.FromString(part.SerializeToString())
