"""Servers of a test's own, to be set up, starved, stopped and killed."""

from pathlib import Path

from tests.stores import EmbeddedServer


class Servers:
    """Starts servers below a directory; `stop` ends those that still run."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._started: list[EmbeddedServer] = []

    def start(self, **settings: str) -> EmbeddedServer:
        """A server with these settings, `_` for `-`, over the usual ones (appendfsync always, noeviction)."""
        directory = self._directory / str(len(self._started))
        directory.mkdir()
        server = EmbeddedServer(directory, {name.replace("_", "-"): value for name, value in settings.items()})
        self._started.append(server.start())
        return server

    def stop(self) -> None:
        for server in self._started:
            server.stop()
