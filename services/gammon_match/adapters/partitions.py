"""Where a match is kept: its partition, read from the match id, and the keys that share the partition's slot.

Keys of a partition carry one hash tag, so that one script may touch a match's stream, its head record and the
partition's feed on a cluster too (event store 1.3). The tags are shipped, not computed: a store keeps them.
"""

import re
from dataclasses import dataclass
from typing import Final

MAX_PARTITIONS: Final = 128
MANIFEST_KEY: Final = b"bg1:manifest"
# The processes that share the partitions' leases.
TIMING_KEY: Final = b"bg1:timing"

# Tag k is `bg1:p<kkk><suffix>`. The suffix puts the tag's CRC16 slot into that one of 128 equal shares of the
# 16,384 slots whose number is k with its seven bits reversed. So the first 2, 4 … 128 tags are spread evenly.
_SUFFIXES: Final = (
    "aas abn adf afa aaf aca ads aft aod abb aee afx afg aez adj afm "
    "adp afw adb afe adx age aam abp agd ady abq aal adt afs aat abi "
    "aaf aca abq aal aas abn aaa acf adm afj aax abe adx age aam abp "
    "adp afw aap abm abr aao aae abx aan abs aog aba aaf aca ads aft "
    "abg aaz afh ado aaw abj adw afp aef aga afq adv adi afn aea agf "
    "aaw abj adb afe aab ace adw afp anz abf aea agf afc add adn afi "
    "aef aga adn afi adm afj aax abe afk adl abd aay ada aff aaa acf "
    "anz abf abl aaq aan abs aog aba abo aar agz adg abz aag afu adr "
)
TAGS: Final = tuple(f"bg1:p{k:03d}{_SUFFIXES[4 * k : 4 * k + 3]}" for k in range(MAX_PARTITIONS))

_MATCH_ID: Final = re.compile(r"m_([0-9]{3})_[0-9A-Z]{1,64}")


@dataclass(frozen=True, slots=True)
class PartitionKeys:
    """One partition: its number, and the keys of its feed, own record (lineage …), list of all matches, timer lease.

    `rows`, `changes` and the facets are the index: entries of matches in lists, and what changed of them.
    """

    number: int
    feed: bytes
    meta: bytes
    matches: bytes
    rows: bytes
    changes: bytes
    facets: bytes
    timed_by: bytes

    def facet(self, name: str) -> bytes:
        """The key of a facet."""
        return self.facets + name.encode()


@dataclass(frozen=True, slots=True)
class MatchKeys:
    """A match's own keys, its events, head record and checkpoint, and those of its partition, all in one slot."""

    events: bytes
    head: bytes
    checkpoint: bytes
    partition: PartitionKeys


PARTITION_KEYS: Final = tuple(
    PartitionKeys(
        number=k,
        feed=f"{{{tag}}}:feed".encode(),
        meta=f"{{{tag}}}:meta".encode(),
        matches=f"{{{tag}}}:matches".encode(),
        rows=f"{{{tag}}}:rows".encode(),
        changes=f"{{{tag}}}:changes".encode(),
        facets=f"{{{tag}}}:i:".encode(),
        timed_by=f"{{{tag}}}:timed-by".encode(),
    )
    for k, tag in enumerate(TAGS)
)
_EVENTS_OF: Final = tuple(f"{{{tag}}}:e:" for tag in TAGS)
_HEAD_OF: Final = tuple(f"{{{tag}}}:h:" for tag in TAGS)
_CHECKPOINT_OF: Final = tuple(f"{{{tag}}}:c:" for tag in TAGS)


def partition_of(match_id: str) -> int | None:
    """The partition, 0 to 127, that a match id `m_<ppp>_…` names; None if it is not a match id."""
    found = _MATCH_ID.fullmatch(match_id)
    if found is None:
        return None
    partition = int(found[1])
    return partition if partition < MAX_PARTITIONS else None


def keys_of(match_id: str) -> MatchKeys | None:
    """The keys of a match; None if `match_id` is not a match id."""
    partition = partition_of(match_id)
    if partition is None:
        return None
    return MatchKeys(
        events=(_EVENTS_OF[partition] + match_id).encode(),
        head=(_HEAD_OF[partition] + match_id).encode(),
        checkpoint=(_CHECKPOINT_OF[partition] + match_id).encode(),
        partition=PARTITION_KEYS[partition],
    )
