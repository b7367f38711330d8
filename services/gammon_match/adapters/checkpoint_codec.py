"""The bytes of checkpoints: the store's own message behind the first bytes of its SHA-256."""

import hashlib
from typing import Final

from google.protobuf.message import DecodeError

from gammon.match.v1 import checkpoint_pb2 as pb
from gammon_match.adapters.table_event_codec import (
    NS,
    all_ns,
    clock_of,
    duration,
    pause_of,
    preferences_of,
    put_clock,
    put_pause,
    put_preferences,
)
from gammon_match.app.checkpoints import Checkpoint
from gammon_match.app.ports import Head
from gammon_match.core.table import Holder, Proposal, Table
from gammon_match.core.table_events import NO_PREFERENCES

# Raised whenever a checkpoint has other content, or the same events amount to something else (`core.match.evolve`).
FORMAT: Final = 1
DIGEST_BYTES: Final = 8


def checkpoint_bytes(checkpoint: Checkpoint) -> bytes:
    """The bytes to keep."""
    message = pb.Checkpoint(
        format=FORMAT,
        sequence=checkpoint.head.sequence,
        hash=checkpoint.head.hash,
        previous_hash=checkpoint.previous_hash,
        batch_first=checkpoint.batch_first,
        settings=checkpoint.settings,
        creator=checkpoint.creator,
        draws=checkpoint.draws,
        withdrawn=(pb.Checkpoint.Withdrawn(to_sequence=to, sequence=said) for to, said in checkpoint.withdrawn),
        requests=checkpoint.marks,
    )
    message.create_time.seconds, message.create_time.nanos = divmod(checkpoint.created_ns, NS)
    _put_table(message.table, checkpoint.table)
    body = message.SerializeToString(deterministic=True)
    return _digest(body) + body


def checkpoint_from(kept: bytes) -> Checkpoint | None:
    """The checkpoint that bytes are; None: this version cannot read them."""
    digest, body = kept[:DIGEST_BYTES], kept[DIGEST_BYTES:]
    if digest != _digest(body):
        return None
    try:
        message = pb.Checkpoint.FromString(body)
        if message.format != FORMAT:
            return None
        table = _table(message.table)
    except (DecodeError, ValueError):
        return None
    return Checkpoint(
        head=Head(message.sequence, message.hash),
        previous_hash=message.previous_hash,
        batch_first=message.batch_first,
        settings=message.settings,
        creator=message.creator,
        created_ns=message.create_time.seconds * NS + message.create_time.nanos,
        table=table,
        draws=message.draws,
        withdrawn=tuple((back.to_sequence, back.sequence) for back in message.withdrawn),
        marks=message.requests,
    )


def _put_table(message: pb.Checkpoint.Table, table: Table) -> None:
    for seat, holder in table.holders:
        held = message.holders.add(seat=seat, player=holder.player, public_key=holder.public_key)
        if holder.preferences != NO_PREFERENCES:
            put_preferences(held.preferences, holder.preferences)
    message.seats_sequence, message.ruled_sequence = table.seats_sequence, table.ruled_sequence
    message.clock_sequence, message.pause_sequence = table.clock_sequence, table.pause_sequence
    if table.clock is not None:
        put_clock(message.clock, table.clock)
    if table.pause is not None:
        put_pause(message.pause, table.pause)
    # Never told as an empty list: a match has seats.
    message.budgets.extend(map(duration, table.budgets or ()))
    message.asking.extend(table.asking)
    for seat, sequence in table.absent:
        message.absent.add(seat=seat, sequence=sequence)
    if table.proposal is not None:
        proposal = table.proposal
        message.proposal.SetInParent()
        message.proposal.seat, message.proposal.to_sequence = proposal.seat, proposal.to_sequence
        message.proposal.consenting.extend(proposal.consenting)
        message.proposal.sequence = proposal.sequence


def _table(message: pb.Checkpoint.Table) -> Table:
    proposal = None
    if message.HasField("proposal"):
        said = message.proposal
        proposal = Proposal(said.seat, said.to_sequence, tuple(said.consenting), said.sequence)
    return Table(
        holders=tuple(
            (held.seat, Holder(held.player, held.public_key, preferences_of(held.preferences)))
            for held in message.holders
        ),
        seats_sequence=message.seats_sequence,
        ruled_sequence=message.ruled_sequence,
        clock=clock_of(message.clock) if message.HasField("clock") else None,
        clock_sequence=message.clock_sequence,
        pause=pause_of(message.pause) if message.HasField("pause") else None,
        pause_sequence=message.pause_sequence,
        budgets=all_ns(message.budgets) or None,
        asking=tuple(message.asking),
        absent=tuple((absence.seat, absence.sequence) for absence in message.absent),
        proposal=proposal,
    )


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()[:DIGEST_BYTES]
