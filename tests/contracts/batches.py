"""Batches for tests of event stores: chained as the service chains them, content chosen by the test."""

from collections.abc import Sequence

from gammon_match.app.ports import Batch, Head
from gammon_proofs.chain import chain_hashes, genesis_hash


def match_id(number: int, partition: int = 3) -> str:
    """A well-formed match id; ids of one partition ascend with `number`."""
    letters = ""
    for _ in range(6):
        number, digit = divmod(number, 26)
        letters = chr(ord("A") + digit) + letters
    return f"m_{partition:03d}_{'A' * 20}{letters}"


def genesis(of: str) -> Head:
    """The head of a match that has no event yet."""
    return Head(0, genesis_hash(of, b"settings"))


def batch_at(head: Head, of: str, *envelopes: bytes, feed_entry: bytes | None = None, closes: bool = False) -> Batch:
    """The batch that puts `envelopes` behind `head`."""
    hashes = tuple(chain_hashes(head.hash, envelopes, head.sequence + 1))
    return Batch(of, head, envelopes, hashes, feed_entry, closes)


def history(of: str, requests: Sequence[Sequence[bytes]]) -> list[Batch]:
    """The batches of a match from its start, one for each request."""
    head, batches = genesis(of), []
    for envelopes in requests:
        batches.append(batch_at(head, of, *envelopes))
        head = batches[-1].head
    return batches
