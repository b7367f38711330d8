"""The audit of one match: everything recomputed from its stored bytes; a fault in them can fail it, never break it."""

from collections.abc import Sequence

from gammon_audit.chain_check import check_chain, check_head, check_receipts
from gammon_audit.envelope_check import check_envelopes
from gammon_audit.envelopes import read
from gammon_audit.law_check import check_law
from gammon_audit.origin_check import check_actors, check_dice
from gammon_audit.record import MatchRecord, Receipt
from gammon_audit.record_check import RECORD, check_record
from gammon_audit.report import Report, Verdict, not_checked
from gammon_audit.results_check import check_results


def audit(record: MatchRecord, receipts: Sequence[Receipt] = ()) -> Report:
    """All checks of a match. What does not follow or cannot be read fails its check; the rest judges what comes before.

    `receipts` of other matches are passed over.
    """
    chain = check_chain(record)
    head = check_head(record)
    reading = read(record, chain)
    checks = [
        chain,
        head,
        check_receipts(record, receipts, chain),
        check_envelopes(reading),
        check_law(reading),
        check_results(reading),
        check_dice(reading.parsed),
        check_actors(reading.parsed),
    ]
    if not isinstance(reading.agreed, str) and reading.agreed.imported:
        # A claim speaks of what comes after it, so only of a record that nothing is missing from.
        in_record = check_record(reading.parsed) if reading.whole and head.verdict is Verdict.PASS else None
        checks.append(in_record or not_checked(RECORD, reading.judged))
    return Report(record.match_id, tuple(checks))
