"""What a person types at `gammon play`, and what is asked of them."""

import pytest
from tests.cli.sights import MIXED, SESSION, THREE, after, choosing, opening, to_play, to_roll

from gammon.rules.v1 import action_pb2 as pb
from gammon_cli.play.commands import Back, Look, LookAtPlays, Price, Quit, Send, Wrong, read_command
from gammon_cli.play.listing import listing
from gammon_cli.play.sight import Sight, is_asked, is_forced, obvious, possible, question
from gammon_engine.referee import actions as act
from gammon_engine.referee import rule
from gammon_engine.referee.ruling import Ruling
from gammon_wire.actions import action_from_proto
from gammon_wire.words import GAME_OF

DOUBLED = after(to_roll(), act.Double(0), seat=1)
ONE_PLAY = to_play(6, 5, position="bar:2,6:13 24:2,13:5,8:3,6:5")


def _sent(text: str, sight: Sight) -> pb.Action:
    said = read_command(text, sight)
    assert isinstance(said, Send), said
    return said.action


def _position_after(text: str, sight: Sight) -> str:
    action = action_from_proto(_sent(text, sight), sight.state.phase)
    ruling = rule(sight.settings, sight.state, action)  # type: ignore[arg-type]
    assert isinstance(ruling, Ruling), ruling
    return sight.game.text(ruling.state.position)


@pytest.mark.parametrize(
    ("text", "sight", "kind"),
    [
        ("", opening(), "roll"),
        ("r", opening(seat=1), "roll"),
        ("", to_roll(), "roll"),
        (" R ", to_roll(), "roll"),
        ("roll", to_roll(), "roll"),
        ("d", to_roll(), "double"),
        ("t", DOUBLED, "take"),
        ("p", DOUBLED, "drop"),
        ("pass", DOUBLED, "drop"),
        ("beaver", after(to_roll(SESSION), act.Double(0), seat=1), "beaver"),
        ("raccoon", after(to_roll(SESSION), act.Double(0), act.Beaver(1)), "raccoon"),
        ("a", after(to_roll(SESSION), act.Double(0), act.Beaver(1)), "accept"),
        ("a", after(to_roll(), act.Resign(1, 2)), "accept"),
        ("n", after(to_roll(), act.Resign(1, 2)), "decline"),
        ("withdraw", after(to_roll(), act.Resign(0, 2)), "withdraw"),
        ("nopoints", to_roll(), "no_result"),
        ("stay", after(to_roll(THREE), act.Double(0), seat=1), "stay"),
        ("leave", after(to_roll(THREE), act.Double(0), seat=1), "leave"),
        ("leave now", to_roll(THREE), "leave"),
    ],
)
def test_a_word_is_an_act(text: str, sight: Sight, kind: str) -> None:
    assert _sent(text, sight).WhichOneof("kind") == kind


def test_acts_that_say_more() -> None:
    assert _sent("resign 2", to_roll()).resign.level == 2
    assert _sent("resign backgammon", to_roll(seat=1)).resign.level == 3
    settle = _sent("settle 2 o", to_roll(SESSION)).settle
    assert (settle.points, settle.to_seat) == (2, 1)
    assert GAME_OF[_sent("choose c", choosing()).choose.game].value == "catchgammon"
    assert GAME_OF[_sent("choose rungammon", choosing()).choose.game].value == "rungammon"


def test_a_play_is_read_in_every_form_of_the_rules() -> None:
    made_the_five_point = "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5"
    for text in ("8/5 6/5", "6/5 8/5", " 8/5  6/5 "):
        assert _position_after(text, to_play(3, 1)) == made_the_five_point
    ran = "24:1,14:1,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
    for text in ("24/14", "24/18 18/14", "24/18/14"):
        assert _position_after(text, to_play(6, 4)) == ran
    for text in ("bar/20", "BAR/20", "25/20"):
        assert _position_after(text, ONE_PLAY) == "bar:1,20:1,6:13 24:2,13:5,8:3,6:5"
    disc = "6,4,1,1,1 1,1,1,1,1 1,1,1,1,1"
    for text in ("5:1@1-6 3:2@1-4", "1@1-6 2@1-4"):
        assert _position_after(text, to_play(5, 3, settings=THREE)) == disc


def test_a_number_is_the_play_of_the_list() -> None:
    sight = to_play(3, 1)
    # Four checkers can play the 3 and three others' steps the 1 (13/12 is blocked), and four can go on with it.
    assert len(sight.plays) == 4 * 3 + 4
    written = [sight.game.write_play(play) for play in sight.plays]
    number = str(written.index("8/5 6/5") + 1)
    assert _position_after(number, sight) == "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5"
    results = {_position_after(str(number), sight) for number in range(1, 17)}
    assert len(results) == 16


def test_plays_are_written_from_the_back_to_the_front_where_that_is_the_same_play() -> None:
    for sight in (to_play(3, 1), to_play(6, 2), to_play(4, 4), ONE_PLAY):
        for play in sight.plays:
            origins = [step.origin for step in play]
            text = sight.game.write_play(play)
            assert origins == sorted(origins, reverse=True), text
            reached, _ = sight.game.apply(sight.state.position, 0, play)
            assert _position_after(text, sight) == sight.game.text(reached)


def test_enter_alone_does_only_what_is_obvious() -> None:
    assert obvious(to_play(3, 1)) is None
    assert read_command("", to_play(3, 1)) is Look.HELP
    assert read_command("", DOUBLED) is Look.HELP
    assert read_command("", to_roll(seat=1)) is Look.HELP
    assert _position_after("", ONE_PLAY) == "bar:1,20:1,6:13 24:2,13:5,8:3,6:5"
    assert is_forced(ONE_PLAY)
    assert is_forced(opening())
    assert not is_forced(to_roll()), "one could double"
    assert not is_forced(to_play(3, 1))


@pytest.mark.parametrize(
    ("text", "sight", "rule_number", "why"),
    [
        ("d", to_roll(seat=1), "6.1", "only the player on turn may double"),
        ("r", to_roll(seat=1), "1.3", "another seat is on turn"),
        ("r", to_play(3, 1), "1.3", "the roll is to be played"),
        ("t", to_roll(), "1.3", "the player on turn is to roll"),
        ("beaver", DOUBLED, "6.6", "beavers were not agreed"),
        ("stay", DOUBLED, "6.10", "only with three or four players"),
        ("t", after(to_roll(THREE), act.Double(0), seat=1), "6.2", "only with two players"),
        ("resign 4", to_roll(), "8.1", "4: a level is from 1 to 3"),
        ("resign", to_roll(), "8.1", "say at which level"),
        ("resign one", to_roll(), "8.1", "say at which level"),
        ("settle 2 x", to_roll(), "8.6", "only a session of two can be settled"),
        ("settle", to_roll(SESSION), "8.6", "settle 2 X"),
        ("settle -2 x", to_roll(SESSION), "8.6", "settle 2 X"),
        ("choose", choosing(), "7.6", "say choose catchgammon or choose rungammon"),
        ("choose backgammon", choosing(), "7.6", "say choose catchgammon or choose rungammon"),
        ("choose rungammon", to_roll(), "7.6", "only the winner in gammon games chooses"),
        ("choose rungammon", opening(MIXED), "1.7", "the opening throw comes first"),
        ("leave", to_roll(THREE), "8.2", "you would pay 1 and be out of this game"),
        ("leave now", to_roll(), "6.10", "only with three or four players"),
        ("8/5", to_play(3, 1), "1.4", "8/5"),
        ("8/4 6/5", to_play(3, 1), "9.6", "8/4 6/5: "),
        ("24/20 6/5", to_play(3, 1), "9.6", "24/20 6/5: "),
        ("13/10 24/23*", to_play(3, 1), "9.6", "24/23 hits nothing"),
        ("13/8 6/5", to_play(5, 1, seat=1), "1.3", "another seat is on turn"),
        ("-", to_play(3, 1), "1.4", ""),
        ("1", to_roll(), "1.3", "the player on turn is to roll"),
    ],
)
def test_what_the_law_does_not_allow_is_not_sent_and_its_rule_named(
    text: str, sight: Sight, rule_number: str, why: str
) -> None:
    said = read_command(text, sight)
    assert isinstance(said, Wrong), said
    assert said.rule == rule_number, said
    assert why in said.why
    assert str(said).endswith(f"(rule {rule_number})")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("17", "17: the plays are numbered from 1 to 16"),
        ("0", "0: the plays are numbered from 1 to 16"),
        ("hello", "hello is no command"),
        ("r r", "r r is no command"),
        ("\x1b[2J", r"'\x1b[2J' is no command"),
        ("x" * 100, "x" * 37 + "... is no command"),
        ("? 24/ 13/", "? lists the plays"),
    ],
)
def test_what_is_no_command_is_told_plainly(text: str, why: str) -> None:
    said = read_command(text, to_play(3, 1))
    assert isinstance(said, Wrong)
    assert said.why.startswith(why)


def test_looking_and_leaving() -> None:
    for sight in (None, to_play(3, 1)):
        assert read_command("b", sight) is Look.BOARD
        assert read_command("help", sight) is Look.HELP
        assert read_command("q", sight) == Quit()
    assert isinstance(read_command("r", None), Wrong)
    assert read_command("?", to_play(3, 1)) == LookAtPlays()
    assert read_command("? 2", to_play(3, 1)) == LookAtPlays(page=2)
    assert read_command("? 24/", to_play(3, 1)) == LookAtPlays(step="24/")
    assert read_command("?", to_roll()) is Look.HELP


def test_the_question_names_what_answers_it() -> None:
    asked = {
        opening(): "Game 1: Enter throws for who starts.",
        to_roll(): "Your turn: Enter rolls, d doubles to 2.",
        to_play(3, 1): "Your roll 31: type a play or its number; ? lists all 16.",
        ONE_PLAY: "Your roll 65 has one play, bar/20: Enter makes it.",
        DOUBLED: "X doubles to 2: t takes, p drops and loses 1.",
        after(to_roll(THREE), act.Double(0), seat=1): "X doubles to 2: stay, or leave and pay 1?",
        after(to_roll(SESSION), act.Double(0), seat=1): (
            "X doubles to 2: t takes, beaver redoubles to 4, p drops and loses 1."
        ),
        after(to_roll(SESSION), act.Double(0), act.Beaver(1)): (
            "The cube goes on to 4: a accepts, raccoon redoubles to 8, p drops and loses 2."
        ),
        after(to_roll(SESSION), act.Double(0), act.Beaver(1), act.Raccoon(0), seat=1): (
            "The cube goes on to 8: a accepts, p drops and loses 4."
        ),
        after(to_roll(), act.Resign(1, 2)): "O offers to lose this game at level 2: a accepts, n declines.",
        choosing(): "You choose the next game: choose catchgammon or choose rungammon.",
    }
    for sight, words in asked.items():
        assert question(sight) == words
        assert is_asked(sight)
        assert len(words) <= 80


@pytest.mark.parametrize(
    "sight", [opening(), to_roll(), to_play(3, 1), ONE_PLAY, DOUBLED, choosing(), to_roll(THREE), to_roll(SESSION)]
)
def test_all_that_help_tells_of_is_a_command_and_allowed(sight: Sight) -> None:
    typed = [word for words, _ in possible(sight) for word in words.split(" or ") if word != "Enter"]
    assert typed
    for text in typed:
        said = read_command(text, sight)
        # Leaving unasked is asked about once more.
        assert isinstance(said, Send | LookAtPlays | Price) or (text, sight.settings) == ("leave", THREE), (text, said)


def test_the_list_has_columns_and_pages_that_fit() -> None:
    sight = to_play(4, 4, settings=THREE)
    pages = [listing(sight, LookAtPlays(page), 80, 20) for page in (1, 2)]
    assert [len(page) for page in pages if isinstance(page, list)] == [20, 13]
    lines = [line for page in pages for line in page]  # type: ignore[union-attr]
    assert max(map(len, lines)) <= 80
    numbers = [int(line.split()[0]) for line in lines if not line.startswith("page")]
    assert numbers == list(range(1, 32))
    assert lines[19] == "page 1 of 2, 31 plays; ? 2 has more"
    assert listing(sight, LookAtPlays(3), 80, 20) == Wrong("the list has pages 1 to 2")
    assert listing(to_play(3, 1), LookAtPlays(2), 80, 20) == Wrong("the list has one page")
    whole = listing(to_play(3, 1), LookAtPlays(), 80, 20)
    assert isinstance(whole, list)
    assert len(whole) < 7, "several columns"
    assert whole[-1] == "16 plays"


def test_the_list_can_be_of_plays_with_a_step() -> None:
    lines = listing(to_play(3, 1), LookAtPlays(step="24/23"), 80, 20)
    assert isinstance(lines, list)
    assert lines[-1] == "4 of 16 plays"
    assert isinstance(listing(to_play(3, 1), LookAtPlays(step="9/"), 80, 20), Wrong)


def test_what_an_act_would_cost_is_asked_without_acting() -> None:
    for text, sight, kind in (
        ("cost resign 2", to_roll(), "resign"),
        ("cost p", DOUBLED, "drop"),
        ("cost nopoints", to_roll(), "no_result"),
        ("cost leave", after(to_roll(THREE), act.Double(0), seat=1), "leave"),
    ):
        said = read_command(text, sight)
        assert isinstance(said, Price), said
        assert said.action.WhichOneof("kind") == kind
    for text in ("cost", "cost r", "cost b", "cost ?"):
        said = read_command(text, to_roll())
        assert isinstance(said, Wrong)
        assert said.why.startswith("say what of")
    # What the law does not allow has no price, but a rule.
    refused = read_command("cost p", to_roll())
    assert isinstance(refused, Wrong)
    assert refused.rule == "1.3"


def test_words_on_taking_back() -> None:
    said = {text: read_command(text, to_roll()) for text in ("back", "back yes", "back no")}
    assert said == {"back": Back(None), "back yes": Back(accept=True), "back no": Back(accept=False)}
    wrong = read_command("back 3", to_roll())
    assert isinstance(wrong, Wrong)
    assert wrong.rule == "8.5"
