"""Who is there: people, not connections, and a word whenever the seats that are present become others."""

from gammon_match.app.presence import Presence

SEATS = {0: "alice", 1: "bob"}


class Told:
    """What a listener heard: the seats present at each change, as it could read them at that moment."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, frozenset[int]]] = []
        self.presence = Presence()
        self.presence.changed = lambda match_id: self.heard.append((match_id, self.presence.present(match_id)))


def test_a_person_with_several_watches_is_there_until_the_last_ends() -> None:
    told = Told()
    for _ in range(3):
        told.presence.arrive("m", "alice", SEATS)
    told.presence.depart("m", "alice")
    told.presence.depart("m", "alice")
    assert told.presence.present("m") == {0}
    told.presence.depart("m", "alice")
    assert told.presence.present("m") == frozenset()
    assert told.heard == [("m", frozenset({0})), ("m", frozenset())]


def test_who_holds_no_seat_is_a_spectator_and_changes_no_seat() -> None:
    told = Told()
    for person in ("carol", "carol", "dave"):
        told.presence.arrive("m", person, SEATS)
    assert told.presence.spectators("m") == 2
    told.presence.depart("m", "carol")
    assert told.presence.spectators("m") == 2
    assert told.heard == []


def test_a_seat_that_changes_hands_changes_who_is_present() -> None:
    told = Told()
    told.presence.arrive("m", "alice", SEATS)
    told.presence.arrive("m", "carol", SEATS)
    told.presence.seat("m", {0: "carol", 1: "bob"})
    assert told.heard == [("m", frozenset({0}))]
    assert told.presence.spectators("m") == 1
    told.presence.seat("m", {0: "dave", 1: "bob"})
    assert told.heard[1:] == [("m", frozenset())]


def test_matches_know_nothing_of_each_other_and_nothing_is_kept_of_those_left() -> None:
    told = Told()
    told.presence.arrive("m", "alice", SEATS)
    told.presence.arrive("n", "bob", SEATS)
    told.presence.depart("m", "alice")
    assert not told.presence.present("m")
    assert told.presence.present("n") == {1}
    told.presence.seat("m", SEATS)
    told.presence.depart("n", "bob")
    assert told.presence.present("m") == told.presence.present("n") == frozenset()
    assert told.presence.spectators("m") == 0
