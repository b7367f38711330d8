"""Who may call what: one row for each call and each kind of match that makes a difference.

docs/access.md shows the table, and test_who_may_what.py holds the suite to it. `python -m tests.e2e.access` writes the
table into the page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.e2e import access_asks as ask
from tests.e2e import access_reads as read
from tests.e2e import access_stages as stage
from tests.e2e.access_asks import Ask, Judge
from tests.e2e.access_stages import Stage

PLAYER, SPECTATOR, OPERATOR, AUDITOR, SERVICE = "player", "spectator", "operator", "auditor", "service"
ROLES = (PLAYER, SPECTATOR, OPERATOR, AUDITOR, SERVICE)
OFFICIALS = (OPERATOR, AUDITOR, SERVICE)
OTHERS = (PLAYER, SPECTATOR)
OK, NOTHING, EARLIER = "OK", ask.NOTHING, ask.EARLIER

# By what a call is answered with, its status; the first three are answers that a call has.
STATUS = {
    OK: "OK",
    NOTHING: "OK",
    EARLIER: "OK",
    "UNAUTHENTICATED": "UNAUTHENTICATED",
    "ROLE_REQUIRED": "PERMISSION_DENIED",
    "NOT_YOUR_SEAT": "PERMISSION_DENIED",
    "NOT_TO_BE_SEEN": "PERMISSION_DENIED",
    "BAD_INVITATION": "PERMISSION_DENIED",
    "SEAT_TAKEN": "FAILED_PRECONDITION",
    "NO_LAPSE": "FAILED_PRECONDITION",
    "NOT_OVER": "FAILED_PRECONDITION",
    "STORE_REWOUND": "DATA_LOSS",
    "PLAYER_NOT_RATED": "NOT_FOUND",
    "UNIMPLEMENTED": "UNIMPLEMENTED",
}


@dataclass(frozen=True, slots=True)
class Grant:
    """What these roles are answered, by the seat they hold: the one they ask for, another, none."""

    roles: tuple[str, ...]
    own: str
    other: str
    none: str


@dataclass(frozen=True, slots=True)
class Row:
    """A call of a kind, `service.Method`; roles without a grant get ROLE_REQUIRED.

    `judge`: what an answer amounts to, where it is not just given.
    """

    method: str
    asked: str
    stage: Stage
    request: Ask
    grants: tuple[Grant, ...]
    judge: Judge = ask.given

    def expected(self, role: str, held: str) -> str:
        """What a role is answered that holds its `own` seat, an `other` one or `none`."""
        (found,) = [getattr(grant, held) for grant in self.grants if role in grant.roles] or ["ROLE_REQUIRED"]
        return str(found)


def _same(roles: tuple[str, ...], answer: str = OK) -> tuple[Grant, ...]:
    return (Grant(roles, answer, answer, answer),)


def _hidden(answer: str, shown: str = OK) -> tuple[Grant, ...]:
    return Grant(OTHERS, shown, shown, answer), *_same(OFFICIALS, shown)


_EVERYBODY = _same(ROLES)
_OF_SEAT = (Grant((PLAYER,), OK, "NOT_YOUR_SEAT", "NOT_YOUR_SEAT"),)
_OF_TABLE = Grant((PLAYER,), OK, OK, "NOT_YOUR_SEAT")

MATCH = (
    Row("match.ListPresets", "all", stage.nowhere, ask.presets, _EVERYBODY),
    Row("match.CreateMatch", "a match", stage.nowhere, ask.create, _same((PLAYER, OPERATOR))),
    Row(
        "match.TakeSeat",
        "a seat that is held",
        stage.started,
        ask.take_seat,
        (Grant((PLAYER,), OK, "SEAT_TAKEN", "SEAT_TAKEN"),),
    ),
    Row("match.TakeSeat", "an open seat", stage.seating, ask.take_seat, _same((PLAYER,))),
    Row(
        "match.TakeSeat",
        "a seat for the invited, uninvited",
        stage.invited,
        ask.take_seat,
        (Grant((PLAYER,), OK, "BAD_INVITATION", "BAD_INVITATION"),),
    ),
    Row("match.SetPreferences", "to be rolled for", stage.started, ask.preferences, _OF_SEAT),
    Row("match.Act", "a roll", stage.started, ask.act, _OF_SEAT),
    Row("match.PreviewAct", "a resignation", stage.started, ask.preview, _OF_SEAT),
    Row("match.CommitDice", "a tip", stage.started, ask.commit_dice, _same((PLAYER,), "UNIMPLEMENTED")),
    Row("match.ContributeDraw", "a link", stage.started, ask.contribute, _same((PLAYER,), "UNIMPLEMENTED")),
    Row("match.GetMatch", "a match with live spectators", stage.started, ask.get, _EVERYBODY, ask.at_head),
    Row("match.GetMatch", "one without, seats open", stage.seating_off, ask.get, _EVERYBODY, ask.at_head),
    Row("match.GetMatch", "one without, being played", stage.off, ask.get, _hidden("NOT_TO_BE_SEEN"), ask.at_head),
    Row("match.GetMatch", "the same at its start", stage.off, ask.get_first, _hidden("NOT_TO_BE_SEEN")),
    Row("match.GetMatch", "one with delayed spectators", stage.delayed, ask.get, _hidden(EARLIER), ask.at_head),
    Row("match.GetMatch", "the same at its head", stage.delayed, ask.get_head, _hidden("NOT_TO_BE_SEEN"), ask.at_head),
    Row("match.ListEvents", "live spectators", stage.started, ask.events, _EVERYBODY, ask.whole),
    Row("match.ListEvents", "no spectators", stage.off, ask.events, _hidden("NOT_TO_BE_SEEN"), ask.whole),
    Row("match.ListEvents", "delayed spectators", stage.delayed, ask.events, _hidden(EARLIER), ask.whole),
    Row("match.ListMatches", "with a tag, a public match", stage.started, ask.list_tagged, _EVERYBODY, ask.listed),
    Row("match.ListMatches", "with a tag, a private match", stage.off, ask.list_tagged, _hidden(NOTHING), ask.listed),
    Row("match.ListMatches", "of a player, a private match", stage.off, ask.list_of, _hidden(NOTHING), ask.listed),
    Row("match.WatchMatch", "live spectators", stage.started, ask.watch, _EVERYBODY),
    Row("match.WatchMatch", "no spectators", stage.off, ask.watch, _hidden("NOT_TO_BE_SEEN")),
    Row(
        "match.WatchMatch",
        "the same, beyond the head",
        stage.off,
        ask.watch_beyond,
        _hidden("NOT_TO_BE_SEEN", "STORE_REWOUND"),
    ),
    Row("match.WatchMatches", "with a tag, a public match", stage.started, ask.watch_tagged, _EVERYBODY, ask.told),
    Row("match.WatchMatches", "with a tag, a private match", stage.off, ask.watch_tagged, _hidden(NOTHING), ask.told),
    Row("match.WatchMatches", "of a player, a private match", stage.off, ask.watch_of, _hidden(NOTHING), ask.told),
    Row("match.ReadFeed", "a partition", stage.nowhere, ask.feed, _same(OFFICIALS)),
    Row("match.ImportMatch", "a record", stage.nowhere, ask.imported, _same((OPERATOR,))),
    Row("match.DirectMatch", "a pause", stage.started, ask.direct, _same((OPERATOR,))),
    Row("match.TakeBack", "a proposal", stage.rolled, ask.take_back, _OF_SEAT),
    Row("match.PauseMatch", "a pause", stage.started, ask.pause, _OF_SEAT),
    Row(
        "match.ClaimLapse",
        "where nothing has lapsed",
        stage.started,
        ask.claim,
        (Grant((PLAYER,), "NO_LAPSE", "NOT_YOUR_SEAT", "NOT_YOUR_SEAT"),),
    ),
    Row("match.Rematch", "of a match that is over", stage.over, ask.rematch, (_OF_TABLE,)),
    Row(
        "match.Rematch",
        "of one that is not",
        stage.started,
        ask.rematch,
        (Grant((PLAYER,), "NOT_OVER", "NOT_OVER", "NOT_YOUR_SEAT"),),
    ),
    Row("match.InvitePlayer", "to an open seat", stage.invited, ask.invite, (_OF_TABLE, *_same((OPERATOR,)))),
)

RULES = tuple(
    Row(f"rules.{method}", asked, stage.nowhere, how, _same(roles))
    for method, asked, how, roles in (
        ("ListGames", "all", read.games, ROLES),
        ("Begin", "settings", read.begin, ROLES),
        ("SetUp", "a position", read.set_up, ROLES),
        ("Rule", "a ruling", read.rule, (SERVICE,)),
        ("RuleStream", "rulings", read.rule_stream, (SERVICE,)),
        ("ListLegalPlays", "of a roll", read.legal_plays, ROLES),
        ("BatchListLegalPlays", "of rolls", read.batch, ROLES),
        ("ListNextSteps", "of a roll", read.next_steps, ROLES),
        ("ReadPlay", "a text", read.read_play, ROLES),
        ("DrawPosition", "a position", read.draw, ROLES),
    )
)

RATING = (
    Row("rating.GetRating", "of a player without one", stage.nowhere, read.rating, _same(ROLES, "PLAYER_NOT_RATED")),
    Row("rating.ListLeaders", "all", stage.nowhere, read.leaders, _EVERYBODY),
    Row("rating.ListRatingChanges", "all", stage.nowhere, read.changes, _EVERYBODY),
)

TABLE = (*MATCH, *RULES, *RATING)
PAGE = Path(__file__).parents[2] / "docs" / "access.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"


def document() -> str:
    """The table as text for people."""
    return "".join(f"{line}\n" for line in ("", *_lines(), ""))


def _lines() -> Iterator[str]:
    yield "| call | asked for | role | own seat | other seat | no seat |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in TABLE:
        for grant in row.grants:
            roles = "all" if grant.roles == ROLES else ", ".join(grant.roles)
            yield f"| {row.method} | {row.asked} | {roles} | {grant.own} | {grant.other} | {grant.none} |"


def replaced(page: str) -> str:
    """The page with the table as it is now."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + document() + END + after


if __name__ == "__main__":
    PAGE.write_text(replaced(PAGE.read_text()))
