"""Making a match as a client sees it: presets, creating, seats, invitations, rematch."""

from __future__ import annotations

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_client.calls import Metadata
from gammon_client.match_calls import MatchCalls, new_request_id


class MakingCalls(MatchCalls):
    """The calls by which a match is made."""

    __slots__ = ()

    async def presets(self, game: rules_pb2.Game.ValueType = rules_pb2.GAME_UNSPECIFIED) -> list[pb.Preset]:
        """Settings that people play by, of one game or (unspecified) of all: a start for one's own."""
        request = pb.ListPresetsRequest(game=game)

        async def attempt(metadata: Metadata, seconds: float) -> pb.ListPresetsResponse:
            return await self._stub.ListPresets(request, metadata=metadata, timeout=seconds)

        return list((await self._caller.call(attempt)).presets)

    async def create_match(
        self,
        settings: settings_pb2.MatchSettings,
        *,
        request_id: str = "",
        durability: settings_pb2.Durability | None = None,
    ) -> pb.Match:
        """Creates a match. The same request id again is the same match; without one it is a new match."""
        request = pb.CreateMatchRequest(
            request_id=request_id or new_request_id(), settings=settings, durability=durability
        )

        async def attempt(metadata: Metadata, seconds: float) -> pb.CreateMatchResponse:
            return await self._stub.CreateMatch(request, metadata=metadata, timeout=seconds)

        return self._seen((await self._caller.call(attempt)).match)

    async def take_seat(
        self,
        match: pb.Match,
        seat: int | None = None,
        *,
        invitation: str = "",
        preferences: settings_pb2.SeatPreferences | None = None,
        request_id: str = "",
        durability: settings_pb2.Durability | None = None,
    ) -> pb.TakeSeatResponse:
        """Takes `seat`, or any that is open to the caller, and accepts the settings of the match as it was read.

        `preferences`: what the service may do for the seat by itself; None: nothing.
        """
        request = pb.TakeSeatRequest(
            match_id=match.match_id,
            seat=seat,
            request_id=request_id or new_request_id(),
            accepted_settings=match.settings_sha256,
            invitation=invitation,
            durability=durability,
            preferences=preferences,
        )

        async def attempt(metadata: Metadata, seconds: float) -> pb.TakeSeatResponse:
            return await self._stub.TakeSeat(request, metadata=metadata, timeout=seconds)

        response = await self._caller.call(attempt)
        self._seen(response.match)
        return response

    async def invite_player(self, match_id: str, seat: int, player: str = "", *, request_id: str = "") -> str:
        """An invitation to an open seat, for one player or (empty) whoever brings it. Good until the seat is taken."""
        request = pb.InvitePlayerRequest(
            match_id=match_id, seat=seat, request_id=request_id or new_request_id(), player=player
        )

        async def attempt(metadata: Metadata, seconds: float) -> pb.InvitePlayerResponse:
            return await self._stub.InvitePlayer(request, metadata=metadata, timeout=seconds)

        return (await self._caller.call(attempt)).invitation

    async def rematch(self, match_id: str, *, request_id: str = "") -> pb.Match:
        """The rematch of a match that is over: one match, whoever of its players asks and however often."""
        request = pb.RematchRequest(match_id=match_id, request_id=request_id or new_request_id())

        async def attempt(metadata: Metadata, seconds: float) -> pb.RematchResponse:
            return await self._stub.Rematch(request, metadata=metadata, timeout=seconds)

        return self._seen((await self._caller.call(attempt)).match)
