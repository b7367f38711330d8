"""The law of a whole match: every draw, fact and claim recomputed by the referee."""

from gammon_audit.envelopes import Reading
from gammon_audit.law_replay import LawReplay
from gammon_audit.report import Check, failed, not_checked, passed
from gammon_engine.settings import RULES_VERSION

LAW = "law"


def check_law(reading: Reading) -> Check:
    """Replays a match and names the first event that the law does not give, with the rule or the field."""
    agreed = reading.agreed
    if isinstance(agreed, str):
        return failed(LAW, 1, agreed) if reading.whole or reading.parsed else not_checked(LAW, reading.judged)
    if agreed.message.rules_version != RULES_VERSION:
        return failed(LAW, 1, f"rules version {agreed.message.rules_version!r} is not known here")
    law = LawReplay(agreed)
    for event in reading.parsed:
        fault = law.take_in(event)
        if fault:
            return failed(LAW, event.sequence, fault)
    if not reading.whole:
        return not_checked(LAW, reading.judged)
    fault = law.unfinished()
    if fault:
        return failed(LAW, len(reading.parsed) + 1, fault)
    return passed(LAW, f"{law.rulings} rulings and {law.draws} draws agree with rules version {RULES_VERSION}")
