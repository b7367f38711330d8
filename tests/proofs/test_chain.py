"""The hash chain against a vector that was made with printf, xxd and sha256sum, not with the code it tests."""

from gammon_proofs.chain import chain_hashes, event_hash, genesis_hash

MATCH_ID = "m_003_01JTESTVECTOR0000000000"
CONFIG = bytes.fromhex("0a0408011002")
ENVELOPES = (bytes.fromhex("0801aa0100"), bytes.fromhex("080122020800"))
H0 = "b57e35fae1e64b68dc566b5c6a4520eef84d6e429d704107dd2ad44ae4424c26"
H1 = "58493acdd06d94222894f9d6f3d293eacd21b11c7a8b13c7ec1c531cd11d29f9"
H2 = "db77b239610a7feb26aa15447a632130abab2548df26143677cd5f11c2362e42"


def test_vector_h0_to_h2() -> None:
    genesis = genesis_hash(MATCH_ID, CONFIG)
    assert genesis.hex() == H0
    assert [h.hex() for h in chain_hashes(genesis, ENVELOPES)] == [H1, H2]


def test_every_input_of_a_link_changes_it() -> None:
    previous = bytes.fromhex(H0)
    link = event_hash(previous, 1, ENVELOPES[0])
    assert event_hash(previous, 2, ENVELOPES[0]) != link
    assert event_hash(bytes.fromhex(H1), 1, ENVELOPES[0]) != link
    assert event_hash(previous, 1, ENVELOPES[0] + b"\x00") != link


def test_id_and_configuration_cannot_be_shifted_into_each_other() -> None:
    assert genesis_hash("ab", b"c") != genesis_hash("a", b"bc")
