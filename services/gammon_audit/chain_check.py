"""Nothing missing, nothing changed: the chain recomputed from the stored bytes, the head record, the receipts."""

from collections.abc import Sequence

from google.protobuf.message import DecodeError

from gammon.match.v1 import events_pb2
from gammon_audit.record import MatchRecord, Receipt
from gammon_audit.report import Check, failed, not_checked, passed
from gammon_proofs.chain import event_hash, genesis_hash

CHAIN = "chain"
HEAD = "head"
RECEIPTS = "receipts"


def check_chain(record: MatchRecord) -> Check:
    """Names the first event that is missing, out of place, or whose stored hash does not follow from its bytes.

    Each link is computed from the one before as recomputed, which until then is the one stored. So with the bytes or
    the hash of one event changed, that event is named. Who changes both so that they fit moves the first break to the
    event after it: that one no longer follows, and nothing in the store says which of the two was touched. Who
    changes all hashes and the head too leaves no break; then only a receipt tells.
    """
    if not record.events:
        return failed(CHAIN, 1, "there is no event")
    previous = b""
    for expected, event in enumerate(record.events, 1):
        if event.sequence != expected:
            said = "is missing" if event.sequence > expected else "is there twice or out of order"
            return failed(CHAIN, expected, f"event {expected} {said}; the store has {event.sequence} in its place")
        if expected == 1:
            settings = _settings(event.envelope)
            if settings is None:
                return failed(CHAIN, 1, "the first event has no settings for the chain to begin with")
            previous = genesis_hash(record.match_id, settings)
        computed = event_hash(previous, expected, event.envelope)
        if computed != event.hash:
            return failed(
                CHAIN,
                expected,
                f"event {expected} does not have its hash: stored {_short(event.hash)}, computed {_short(computed)}",
            )
        previous = computed
    return passed(CHAIN, f"{len(record.events)} events follow from each other")


def check_head(record: MatchRecord) -> Check:
    """The head record is the last event."""
    last = record.events[-1] if record.events else None
    last_sequence = last.sequence if last is not None else 0
    if record.head_sequence > last_sequence:
        return failed(
            HEAD,
            last_sequence + 1,
            f"event {last_sequence + 1} is missing: the head is at {record.head_sequence}, "
            f"the last stored event is {last_sequence}",
        )
    if last is None:
        return failed(HEAD, None, "there is neither an event nor a head record")
    if record.head_sequence < last_sequence:
        return failed(
            HEAD,
            record.head_sequence + 1,
            f"the head is at {record.head_sequence}, and events go on to {last_sequence}",
        )
    if record.head_hash != last.hash:
        return failed(HEAD, last_sequence, f"the head record has another hash than event {last_sequence}")
    return passed(HEAD, f"the head is event {last_sequence}, {_short(last.hash)}")


def check_receipts(record: MatchRecord, receipts: Sequence[Receipt], chain: Check) -> Check:
    """Every receipt is in the chain, as far as `chain` holds. This is what shows a stream that was rewritten whole."""
    mine = sorted((r for r in receipts if r.match_id == record.match_id), key=lambda receipt: receipt.sequence)
    if not mine:
        return not_checked(RECEIPTS, "no receipt was given")
    for receipt in mine:
        found = _stored_hash(record, receipt.sequence)
        if found != receipt.hash:
            said = "no such event" if found is None else f"the store has {_short(found)}"
            return failed(
                RECEIPTS,
                receipt.sequence,
                f"a receipt for event {receipt.sequence} says {_short(receipt.hash)}, {said}",
            )
    if chain.sequence is not None and mine[-1].sequence >= chain.sequence:
        return not_checked(RECEIPTS, f"the chain does not hold from event {chain.sequence} on")
    return passed(RECEIPTS, "1 receipt is in the chain" if len(mine) == 1 else f"{len(mine)} receipts are in the chain")


def _stored_hash(record: MatchRecord, sequence: int) -> bytes | None:
    """The hash of the event in this place; None: there is none, or another."""
    event = record.events[sequence - 1] if 0 < sequence <= len(record.events) else None
    return event.hash if event is not None and event.sequence == sequence else None


def _settings(envelope: bytes) -> bytes | None:
    try:
        message = events_pb2.Envelope.FromString(envelope)
    except DecodeError:
        return None
    return message.match_created.settings if message.HasField("match_created") else None


def _short(stored_hash: bytes) -> str:
    return stored_hash.hex()[:16] or "nothing"
