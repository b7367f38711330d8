"""Invitations: who gives them, to what, and that no other text is one."""

import base64

from tests.match.in_process import SECRET, Desk
from tests.match.making import assert_lawful, count, created, seated, token

from gammon.match.v1 import settings_pb2 as match_pb
from gammon_match.adapters.invitation_secret import SECRET_KEY, invitation_secret
from gammon_match.adapters.redis_link import RedisLink, packed
from gammon_match.app.direct import Close
from gammon_match.app.invitations import Invitations
from gammon_match.app.invite import Invite
from gammon_match.app.ports import EventStore
from gammon_match.app.writing import Written
from gammon_match.core.refusals import (
    BadInvitation,
    MatchIsClosed,
    NotYourSeat,
    Refusal,
    SeatUnavailable,
)


async def test_a_seat_of_those_who_are_invited(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live = await created(desk, seats=[match_pb.SeatSettings(player="alice"), match_pb.SeatSettings(invited=True)])
    seated(await desk.sit(live, "alice"))
    assert await desk.sit(live, "bob", 1) == BadInvitation(1, "seat 1 is only for those who are invited")
    assert await desk.sit(live, "bob") == BadInvitation(None, "the open seats are only for those who are invited")
    anybody, bobs = await token(desk, live, 1), await token(desk, live, 1, "bob")
    assert anybody != bobs
    # Nothing is stored, and another process on the same secret says the same.
    assert await token(Desk(either_store), live, 1, "bob") == bobs
    assert await count(desk, live) == 2
    assert isinstance(await desk.sit(live, "carol", 1, invitation=bobs), BadInvitation)
    assert isinstance(await desk.sit(live, "bob", 0, invitation=bobs), BadInvitation)
    assert seated(await Desk(either_store).sit(live, "bob", invitation=bobs)) == 1
    # The seat is taken, and with that its invitations are spent; its holder may still show theirs.
    assert await desk.sit(live, "carol", invitation=anybody) == SeatUnavailable(1, "the seat is held by somebody else")
    assert seated(await desk.sit(live, "bob", invitation=bobs)) == 1
    await assert_lawful(desk, live)


async def test_in_a_private_match_every_seat_that_is_not_reserved_needs_an_invitation() -> None:
    desk = Desk()
    live = await created(desk, private=True)
    for seat in (0, 1, None):
        assert isinstance(await desk.sit(live, "alice", seat), BadInvitation)
    assert seated(await desk.sit(live, "alice", invitation=await token(desk, live, 0))) == 0
    assert seated(await desk.sit(live, "bob", 1, invitation=await token(desk, live, 1))) == 1
    reserved = await created(desk, private=True, seats=[match_pb.SeatSettings(), match_pb.SeatSettings(player="bob")])
    assert seated(await desk.sit(reserved, "bob")) == 1


def raw(invitation: str) -> bytes:
    """The bytes of an invitation."""
    return base64.urlsafe_b64decode(invitation + "=" * (-len(invitation) % 4))


async def test_no_other_text_is_an_invitation() -> None:
    desk = Desk()
    seats = [match_pb.SeatSettings(invited=True)] * 2
    live, other = await created(desk, seats=seats), await created(desk, seats=seats)
    good = await token(desk, live, 1)
    others = [await token(desk, other, 1), await token(desk, live, 0), await token(desk, live, 1, "carol")]
    forged = [raw(good)[:at] + bytes([raw(good)[at] ^ 1]) + raw(good)[at + 1 :] for at in range(len(raw(good)))]
    # What is said here, under the seal of what is said elsewhere.
    forged += [raw(good)[:-32] + raw(text)[-32:] for text in others]
    bad = [base64.urlsafe_b64encode(text).rstrip(b"=").decode() for text in forged]
    bad += [*others, good + "=", good + "A", good[:-1], "\n" + good, "é", "A" * 100_000]
    bad += [Invitations(bytes(32)).token(live.match_id, 1, "")]
    for text in bad:
        assert isinstance(await desk.sit(live, "bob", 1, invitation=text), BadInvitation), text
    assert await count(desk, live) == 1
    assert seated(await desk.sit(live, "bob", 1, invitation=good)) == 1


async def test_who_may_invite_and_to_what() -> None:
    desk = Desk()
    live = await created(desk, seats=[match_pb.SeatSettings(), match_pb.SeatSettings(player="bob")])

    async def ask(asker: str, seat: int, is_operator: bool = False) -> str | Refusal:
        return await desk.invite(Invite(live.match_id, asker, is_operator, seat, ""))

    assert await ask("mallory", 0) == NotYourSeat(None)
    assert await ask("bob", 0) == NotYourSeat(None)
    seated(await desk.sit(live, "bob"))
    answers = [await ask("alice", 0), await ask("bob", 0), await ask("director", 0, True)]
    assert isinstance(answers[0], str)
    assert len(set(answers)) == 1
    assert await ask("alice", 1) == SeatUnavailable(1, "the seat is taken")
    assert await ask("alice", 3) == SeatUnavailable(3, "the match has seats 0 to 1")
    open_one = await created(desk, seats=[match_pb.SeatSettings(), match_pb.SeatSettings(player="bob")])
    refused = await desk.invite(Invite(open_one.match_id, "alice", False, 1, "carol"))
    assert refused == SeatUnavailable(1, "the seat is reserved, and its player needs no invitation")
    invited = await token(desk, live, 0)
    assert isinstance(await desk.rule(live, Close()), Written)
    assert await ask("alice", 0) == MatchIsClosed(live.head.sequence)
    assert await desk.sit(live, "carol", invitation=invited) == MatchIsClosed(live.head.sequence)


async def test_all_processes_of_a_store_share_one_secret_that_no_start_changes(clean_store: str) -> None:
    links = [RedisLink(clean_store) for _ in range(3)]
    try:
        first, second = await invitation_secret(links[0]), await invitation_secret(links[1])
        assert isinstance(first, bytes)
        assert first == second
        assert len(first) == 32
        await links[2].exchange(packed(b"SET", SECRET_KEY, b"hello"))
        refused = await invitation_secret(links[2])
        assert refused == "bg1:invitation-secret does not hold 32 bytes"
    finally:
        for link in links:
            await link.aclose()
    assert SECRET.hex() not in repr(Invitations(SECRET))
    assert "secret" not in repr(Invitations(SECRET))
