"""Matches with dice that a test sets, and what the service did in them by itself."""

from dataclasses import dataclass, field
from random import Random

from tests.match.in_process import ROLL, Desk, some_action
from tests.match.set_time import SeededDice

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import action_pb2, settings_pb2
from gammon_engine.settings import Settings
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import EventStore, Recorded
from gammon_match.app.writing import Written
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_from_bytes

NO_CUBE = settings_pb2.Settings(
    game=settings_pb2.GAME_BACKGAMMON, seats=2, session=settings_pb2.SessionPlay(games=2), cube=settings_pb2.CUBE_OFF
)


@dataclass
class LoadedDice:
    """Dice that a test sets; after those, a seed's."""

    faces: list[int] = field(default_factory=list)
    rest: SeededDice = field(default_factory=lambda: SeededDice(1))

    def throw(self, count: int) -> tuple[int, ...]:
        return tuple(self.faces.pop(0) if self.faces else self.rest.throw(1)[0] for _ in range(count))


async def events_of(desk: Desk, live: LiveMatch, after: int = 0) -> list[events_pb2.Envelope]:
    """The stored events after a sequence."""
    recorded = await desk.store.read(live.match_id, after)
    assert isinstance(recorded, Recorded)
    return [events_pb2.Envelope.FromString(event.envelope) for event in recorded.events]


async def by_the_service(desk: Desk, live: LiveMatch) -> list[events_pb2.Envelope]:
    """The events that the service caused by itself."""
    return [event for event in await events_of(desk, live) if event.actor.HasField("system")]


async def act(desk: Desk, live: LiveMatch, random: Random) -> None:
    """Whoever is to act does something at random."""
    settings = settings_from_proto(settings_pb2.Settings.FromString(live.terms().rules))
    assert isinstance(settings, Settings)
    state = state_from_bytes(settings, live.match.state)
    assert live.match.standing is not None
    seat = live.match.standing.seats_to_act[0]
    done = await desk.do(live, seat, some_action(random, settings, state, seat))  # type: ignore[arg-type]
    if not isinstance(done, Written):
        done = await desk.do(live, seat, ROLL)
    assert isinstance(done, Written), done


def play(text: str) -> action_pb2.Action:
    return action_pb2.Action(play=action_pb2.MakePlay(text=text))


async def loaded(
    faces: list[int], rules: settings_pb2.Settings = NO_CUBE, store: EventStore | None = None
) -> tuple[Desk, LiveMatch]:
    """A match with dice that a test sets."""
    desk = Desk(store)
    desk.act._dice = desk.automatic._dice = LoadedDice(faces)
    return desk, await desk.match(rules)
