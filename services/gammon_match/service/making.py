"""The calls by which a match is made: presets, creating, seats, invitations, rematch."""

from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_match.app.create_match import Created, CreateMatch, CreateMatchHandler
from gammon_match.app.invite import Invite, InviteHandler
from gammon_match.app.law import Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.presets import Preset, list_presets
from gammon_match.app.read_match import Reader
from gammon_match.app.rematch import Rematch, RematchHandler
from gammon_match.app.take_seat import Seated, TakeSeat, TakeSeatHandler
from gammon_match.core.table_events import Preferences
from gammon_match.service import requests
from gammon_match.service.answers import durability, match_view
from gammon_match.service.handing_on import HandingOn, handed_on
from gammon_match.service.not_served_yet import NotServedYet
from gammon_match.service.rejecting import check, reject
from gammon_match.service.roles import OPERATOR
from gammon_match.service.settings import check_settings, rematch_settings, settings_bytes
from gammon_match.service.watching import current_viewer
from gammon_shell.call import current_principal

Context: TypeAlias = "ServicerContext[Any, Any]"


class Making(NotServedYet):
    """The part of the contract by which a match is made."""

    _handing_on: HandingOn
    _law: Law
    _create: CreateMatchHandler
    _take_seat: TakeSeatHandler
    _invite: InviteHandler
    _rematch: RematchHandler
    _reader: Reader

    async def ListPresets(self, request: pb.ListPresetsRequest, _context: Context) -> pb.ListPresetsResponse:
        """Lists settings that people play by."""
        presets = await list_presets(self._law, request.game)
        if not isinstance(presets, tuple):
            reject(presets)
        return pb.ListPresetsResponse(presets=map(preset_view, presets))

    async def CreateMatch(self, request: pb.CreateMatchRequest, _context: Context) -> pb.CreateMatchResponse:
        """Creates a match."""
        faults = check_settings(request.settings, recorded=False)
        requests.check_request_id(faults, request.request_id)
        requests.check_durability(faults, "durability", request.durability)
        result = await self._create(
            CreateMatch(
                player=current_principal().subject,
                request_id=request.request_id,
                rules=request.settings.rules.SerializeToString(deterministic=True),
                settings=lambda version: settings_bytes(request.settings, version),
                level=requests.level_of(request.durability, request.settings.durability),
                malformed=tuple(faults.malformed),
                unsupported=tuple(faults.unsupported),
            )
        )
        if not isinstance(result, Created):
            reject(result)
        return pb.CreateMatchResponse(match=await self._made(result.live), achieved=durability(result.achieved))

    @handed_on
    async def TakeSeat(self, request: pb.TakeSeatRequest, _context: Context) -> pb.TakeSeatResponse:
        """Takes a seat."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        requests.check_request_id(faults, request.request_id)
        requests.check_durability(faults, "durability", request.durability)
        faults.need(request.seat < requests.MOST_SEATS, "seat", request.seat, "seats are 0 to 3")
        size = len(request.accepted_settings)
        faults.need(size in (0, requests.HASH_SIZE), "accepted_settings", size, "has 32 bytes")
        faults.later(not request.public_key, "public_key", "set")
        check(faults)
        preferred = request.preferences
        result = await self._take_seat(
            TakeSeat(
                match_id=request.match_id,
                player=current_principal().subject,
                seat=request.seat if request.HasField("seat") else None,
                request_id=request.request_id,
                accepted_settings=request.accepted_settings,
                level=requests.level_of(request.durability),
                invitation=request.invitation,
                preferences=Preferences(preferred.roll_without_choice, preferred.play_forced),
            )
        )
        if not isinstance(result, Seated):
            reject(result)
        return pb.TakeSeatResponse(
            seat=result.seat, match=match_view(result.live), achieved=durability(result.achieved)
        )

    async def InvitePlayer(self, request: pb.InvitePlayerRequest, _context: Context) -> pb.InvitePlayerResponse:
        """Makes an invitation."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        requests.check_request_id(faults, request.request_id)
        faults.need(request.HasField("seat"), "seat", "", "is required")
        faults.need(request.seat < requests.MOST_SEATS, "seat", request.seat, "seats are 0 to 3")
        if request.player:
            requests.check_reference(faults, "player", request.player)
        check(faults)
        asker = current_principal()
        result = await self._invite(
            Invite(request.match_id, asker.subject, OPERATOR in asker.roles, request.seat, request.player)
        )
        if not isinstance(result, str):
            reject(result)
        return pb.InvitePlayerResponse(invitation=result)

    async def Rematch(self, request: pb.RematchRequest, _context: Context) -> pb.RematchResponse:
        """Creates a rematch."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        requests.check_request_id(faults, request.request_id)
        check(faults)
        player = current_principal().subject
        result = await self._rematch(Rematch(request.match_id, player, request.request_id, rematch_settings))
        if not isinstance(result, LiveMatch):
            reject(result)
        return pb.RematchResponse(match=await self._made(result))

    async def _made(self, live: LiveMatch) -> pb.Match:
        shown = await self._reader.as_made(live, current_viewer())
        if not isinstance(shown, LiveMatch):
            reject(shown)
        return match_view(shown)


def preset_view(preset: Preset) -> pb.Preset:
    """A preset as a client gets it."""
    settings = settings_pb2.MatchSettings(rules=rules_pb2.Settings.FromString(preset.rules))
    clock, absence = preset.clock, preset.absence
    settings.clock.kind = settings_pb2.ClockKind.ValueType(clock.kind)
    settings.clock.claimed = clock.claimed
    if clock.reserve_ns:
        settings.clock.reserve.FromNanoseconds(clock.reserve_ns)
    settings.clock.per_move.FromNanoseconds(clock.per_move_ns)
    if absence.abandonment_ns is not None:
        settings.absence.abandonment.FromNanoseconds(absence.abandonment_ns)
    if absence.pause_budget_ns:
        settings.absence.pause_budget.FromNanoseconds(absence.pause_budget_ns)
    return pb.Preset(name=preset.name, description=preset.description, settings=settings)
