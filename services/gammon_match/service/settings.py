"""Match settings as they are stored."""

from gammon.match.v1 import settings_pb2


def settings_bytes(settings: settings_pb2.MatchSettings, rules_version: str) -> bytes:
    """The settings as they are stored: with the rules version that the match pins."""
    pinned = settings_pb2.MatchSettings()
    pinned.CopyFrom(settings)
    pinned.rules_version = rules_version
    return pinned.SerializeToString(deterministic=True)
