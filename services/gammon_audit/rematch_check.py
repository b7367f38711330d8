"""What a match says of the one before it: a rematch can only be where and as the service would have made it."""

import base64
import re
from hashlib import sha256

from gammon_audit.envelopes import Agreed
from gammon_proofs.chain import length_prefixed

MATCH_ID = re.compile(r"m_[0-9]{3}_([A-Z2-7]{26})")


def rematch_fault(agreed: Agreed) -> str:
    """Why this cannot be a rematch of what it says; empty if it can, or says nothing.

    Its id follows from that of the match before, so that there is one; its seats are for that match's players.
    """
    before = agreed.message.rematch_of
    if not before:
        return ""
    if agreed.imported:
        return f"it was played elsewhere, and is called a rematch of {before!r}"
    if not MATCH_ID.fullmatch(before):
        return f"it is called a rematch of {before!r}, which is no match id"
    seed = length_prefixed(b"/rematch") + length_prefixed(before.encode())
    found = MATCH_ID.fullmatch(agreed.match_id)
    # The partition is the store's affair, and how many there are is not known here.
    if found is None or found[1] != base64.b32encode(sha256(seed).digest()).decode()[:26]:
        return f"the rematch of {before} has another match id"
    seats = agreed.message.seats
    if len(seats) != agreed.rules.seats or not all(seat.player for seat in seats):
        return "a seat of a rematch is reserved for nobody"
    return ""
