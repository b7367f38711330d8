"""Partitions and keys: the shipped tags against an own CRC16, and what counts as a match id."""

import pytest

from gammon_match.adapters.partitions import PARTITION_KEYS, TAGS, keys_of, partition_of

SLOTS = 16_384


def crc16(data: bytes) -> int:
    """CRC-16/XMODEM, bit by bit, as the cluster specification has it."""
    register = 0
    for byte in data:
        register ^= byte << 8
        for _ in range(8):
            register = register << 1 ^ 0x1021 if register & 0x8000 else register << 1
        register &= 0xFFFF
    return register


def slot(key: bytes) -> int:
    """The slot of a key with a hash tag."""
    tag = key[key.index(b"{") + 1 : key.index(b"}")]
    return crc16(tag) % SLOTS


def test_the_slot_function_is_the_clusters_own() -> None:
    assert crc16(b"123456789") == 0x31C3  # the check value of the cluster specification
    assert slot(b"{user1000}.following") == 3443


@pytest.mark.parametrize("partitions", [1, 2, 4, 8, 16, 32, 64, 128])
def test_the_first_tags_fall_into_equal_shares(partitions: int) -> None:
    share = SLOTS // partitions
    shares = [slot(keys.feed) // share for keys in PARTITION_KEYS[:partitions]]
    assert sorted(shares) == list(range(partitions))


def test_tag_k_falls_into_the_bit_reversed_share() -> None:
    for k, tag in enumerate(TAGS):
        assert tag.startswith(f"bg1:p{k:03d}")
        assert crc16(tag.encode()) % SLOTS // 128 == int(f"{k:07b}"[::-1], 2)


def test_keys_of_a_match_share_a_slot_and_nothing_else() -> None:
    match_id = "m_003_01JTESTVECTOR0000000000"
    keys = keys_of(match_id)
    assert keys is not None
    tag = b"{bg1:p003afa}"
    assert (keys.events, keys.head) == (tag + b":e:" + match_id.encode(), tag + b":h:" + match_id.encode())
    partition = keys.partition
    assert (partition.number, partition.feed) == (3, tag + b":feed")
    assert (partition.meta, partition.matches) == (tag + b":meta", tag + b":matches")
    all_keys = [keys.events, keys.head, partition.feed, partition.meta, partition.matches]
    assert len({slot(key) for key in all_keys}) == 1
    assert len(set(all_keys)) == 5


@pytest.mark.parametrize("number", [0, 3, 15, 127])
def test_the_partition_is_read_from_the_id(number: int) -> None:
    assert partition_of(f"m_{number:03d}_ABCDEFGHIJKLMNOPQRSTUV2345") == number


@pytest.mark.parametrize(
    "malformed",
    [
        *(
            "",
            "m_003_",
            "m_03_ABC",
            "m_128_ABC",
            "m_999_ABC",
            "M_003_ABC",
            "m_003_abc",
            "m_003-ABC",
            " m_003_ABC",
        ),
        *("m_003_ABC\n", "m_003_A{B}", "m_003_ABC*", "m_٠٠٣_ABC", "m_003_" + "A" * 65),
    ],
)
def test_what_is_no_match_id_has_no_partition_and_no_keys(malformed: str) -> None:
    assert partition_of(malformed) is None
    assert keys_of(malformed) is None
