"""The audit of one match: everything recomputed from its stored bytes; a fault in them can fail it, never break it."""

from collections.abc import Sequence

from gammon_audit.chain_check import check_chain, check_head, check_receipts
from gammon_audit.envelopes import check_envelopes, parse
from gammon_audit.law_check import check_law
from gammon_audit.origin_check import check_actors, check_dice
from gammon_audit.record import MatchRecord, Receipt
from gammon_audit.report import Report
from gammon_audit.results_check import check_results


def audit(record: MatchRecord, receipts: Sequence[Receipt] = ()) -> Report:
    """All checks of a match. What cannot be read fails its check at its sequence; the rest judges what comes before."""
    parsed, unreadable = parse(record.events)
    checks = [check_chain(record), check_head(record), check_receipts(record, receipts)]
    checks.append(unreadable or check_envelopes(parsed))
    checks += [check_law(parsed), check_results(parsed), check_dice(parsed), check_actors(parsed)]
    return Report(record.match_id, tuple(checks))
