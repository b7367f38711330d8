"""Matches to ask about: alice and bob at the table, made by a host who plays in none, all under the tag of a row."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import grpc
from tests.e2e.play import ROLL, backgammon
from tests.e2e.reach import Reachable

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_client.match_client import MatchClient

DELAY = 3


@dataclass(frozen=True, slots=True)
class Scene:
    """Where one row of the table is tried. Everybody's reference ends with the tag."""

    suite: Reachable
    channel: grpc.aio.Channel
    tag: str
    # A token is signed once for each caller.
    clients: dict[tuple[str, str], MatchClient] = field(default_factory=dict)

    def person(self, name: str) -> str:
        """A reference that nobody has in another row."""
        return f"{name}-{self.tag}"

    def client(self, name: str, role: str = "player") -> MatchClient:
        """Somebody's client."""
        if (name, role) not in self.clients:
            self.clients[name, role] = MatchClient(self.channel, self.suite.token(self.person(name), role))
        return self.clients[name, role]

    async def heads(self) -> dict[str, tuple[int, bytes]]:
        """All that is stored under the tag: each match and its head."""
        auditor = self.client("auditor", "auditor")
        heads = {}
        async for listing in auditor.list_matches(tag=self.tag):
            head = (await auditor.get_match(listing.match_id)).head
            heads[listing.match_id] = head.sequence, head.hash
        return heads


Stage: TypeAlias = Callable[[Scene], Awaitable[pb.Match]]


async def nowhere(scene: Scene) -> pb.Match:
    """No match is asked about."""
    return pb.Match()


async def seating(scene: Scene) -> pb.Match:
    """Seat 1 is open."""
    return await _match(scene, settings(scene), "alice")


async def seating_off(scene: Scene) -> pb.Match:
    """Seat 1 is open, of a match without spectators."""
    wanted = settings(scene)
    wanted.spectators = settings_pb2.SPECTATOR_POLICY_OFF
    return await _match(scene, wanted, "alice")


async def invited(scene: Scene) -> pb.Match:
    """Seat 1 is open to the invited."""
    wanted = settings(scene)
    wanted.seats.extend((settings_pb2.SeatSettings(), settings_pb2.SeatSettings(invited=True)))
    return await _match(scene, wanted, "alice")


async def started(scene: Scene) -> pb.Match:
    """Both seats may throw for the start, and anybody may watch."""
    return await _match(scene, settings(scene), "alice", "bob")


async def rolled(scene: Scene) -> pb.Match:
    """The same after that throw."""
    return await _rolled(scene, settings(scene))


async def off(scene: Scene) -> pb.Match:
    """A private match without spectators, after the throw."""
    wanted = settings(scene)
    wanted.spectators = settings_pb2.SPECTATOR_POLICY_OFF
    wanted.seats.extend(settings_pb2.SeatSettings(player=scene.person(name)) for name in ("alice", "bob"))
    wanted.private = True
    return await _rolled(scene, wanted)


async def delayed(scene: Scene) -> pb.Match:
    """A match whose spectators are some events behind, after the throw."""
    wanted = settings(scene)
    wanted.spectators, wanted.spectator_delay = settings_pb2.SPECTATOR_POLICY_DELAYED, DELAY
    return await _rolled(scene, wanted)


async def over(scene: Scene) -> pb.Match:
    """A director has closed the match."""
    match = await started(scene)
    director = scene.client("director", "operator")
    await director.get_match(match.match_id)
    await director.direct_match(match.match_id, pb.CloseRuling(), events_pb2.DIRECTOR_REASON_TECHNICAL)
    return await director.get_match(match.match_id)


def settings(scene: Scene) -> settings_pb2.MatchSettings:
    """A match to three points, with take-backs."""
    wanted = backgammon()
    wanted.take_backs = True
    wanted.tags.append(scene.tag)
    return wanted


async def _match(scene: Scene, wanted: settings_pb2.MatchSettings, *players: str) -> pb.Match:
    match = await scene.client("host").create_match(wanted)
    for seat, player in enumerate(players):
        await scene.client(player).take_seat(match, seat)
    return await scene.client("auditor", "auditor").get_match(match.match_id)


async def _rolled(scene: Scene, wanted: settings_pb2.MatchSettings) -> pb.Match:
    match = await _match(scene, wanted, "alice", "bob")
    alice = scene.client("alice")
    await alice.get_match(match.match_id)
    await alice.act(match.match_id, 0, ROLL)
    return await scene.client("auditor", "auditor").get_match(match.match_id)
