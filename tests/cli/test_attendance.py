"""Who is there, in words."""

import pytest

from gammon.match.v1 import match_service_pb2 as pb
from gammon_cli.attendance import comings_and_goings, there


@pytest.mark.parametrize(
    ("seats", "spectators", "words"),
    [
        ([], 0, "there: nobody"),
        ([1], 0, "there: seat 1"),
        ([0, 1], 1, "there: seats 0 and 1, 1 other"),
        ([0, 1, 3], 12, "there: seats 0, 1 and 3, 12 others"),
        ([], 2, "there: 2 others"),
    ],
)
def test_who_is_there_in_one_line(seats: list[int], spectators: int, words: str) -> None:
    assert there(pb.Presence(seats=seats, spectators=spectators)) == words


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ([], [0], ["seat 0 is here"]),
        ([0, 1], [1], ["seat 0 is gone"]),
        ([0], [1, 2], ["seats 1 and 2 are here", "seat 0 is gone"]),
        ([0], [0], []),
    ],
)
def test_who_comes_and_goes(before: list[int], now: list[int], told: list[str]) -> None:
    assert list(comings_and_goings(pb.Presence(seats=before), pb.Presence(seats=now, spectators=5))) == told
