"""Log lines: JSON for machines, colours for a terminal, never a secret."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Collection, Mapping, MutableMapping
from typing import Any, Literal

import structlog

from gammon_shell.call import CURRENT
from gammon_shell.log_writer import LineWriter

Event = MutableMapping[str, Any]

# Values under names with one of these words are never written, whoever logs them.
SECRETS = frozenset(
    word + plural
    for word in ("authorization", "cookie", "token", "jwt", "secret", "password", "root", "link", "invitation")
    for plural in ("", "s")
)
SECRET_NAMES = frozenset({"private_key", "signing_key", "private_pem"})

# Nor these, wherever they stand: the user part of a URL, a JWT, a PEM block of a private key.
HIDDEN = "***"
SECRET_TEXTS = re.compile(
    r"(?<=://)[^/@\s]+(?=@)"
    r"|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.|\n)*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
)


class SecretFilter:
    """The step of the log chain that hides what must not be written. It comes after traces have become text."""

    def __init__(self, more: Collection[str] = ()) -> None:
        """`more`: further words that make a name secret."""
        self._words = SECRETS.union(more)
        self._names: dict[str, bool] = {}

    def __call__(self, _logger: Any, _method: str, event: Event) -> Event:
        """Replaces secret values of the event in place."""
        for name, value in event.items():
            if self._is_secret(name):
                event[name] = HIDDEN
            elif isinstance(value, str):
                # All three kinds of secret text have one of these, and most texts have none.
                if "@" in value or "eyJ" in value or "-----" in value:
                    event[name] = SECRET_TEXTS.sub(HIDDEN, value)
            elif not isinstance(value, int | float | None):
                event[name] = self._within(value)
        return event

    def _within(self, value: Any) -> Any:
        match value:
            case Mapping():
                return self(None, "", {str(name): inner for name, inner in value.items()})
            case list() | tuple() | set() | frozenset():
                return [self._within(inner) for inner in value]
            case int() | float() | None:
                return value
            case _:
                return SECRET_TEXTS.sub(HIDDEN, value if isinstance(value, str) else repr(value))

    def _is_secret(self, name: str) -> bool:
        secret = self._names.get(name)
        if secret is None:
            words = name.lower().replace("-", "_").split("_")
            secret = self._names[name] = name.lower() in SECRET_NAMES or not self._words.isdisjoint(words)
        return secret


def configure(
    role: str,
    level: str,
    log_format: Literal["auto", "json", "text"] = "auto",
    more_secrets: Collection[str] = (),
) -> None:
    """Sets up logging for a role, to standard error: its own lines and those of the libraries (from warning up).

    `log_format`: `auto` is text on a terminal, else JSON. `more_secrets`: words that make a name secret.
    """
    text = log_format == "text" or (log_format == "auto" and sys.stderr.isatty())

    def add_role_and_call(_logger: Any, _method: str, event: Event) -> Event:
        event["role"] = role
        call = CURRENT.get()
        if call is not None:
            event.setdefault("call_id", call.call_id)
            for name, value in call.fields.items():
                event.setdefault(name, value)
        return event

    chain: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        add_role_and_call,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        SecretFilter(more_secrets),
    ]
    renderer: structlog.typing.Processor = structlog.dev.ConsoleRenderer() if text else _to_json
    writer = LineWriter(sys.stderr.fileno())
    structlog.configure(
        processors=[*chain, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=lambda *_: writer,
        cache_logger_on_first_use=True,
    )
    _take_over_the_libraries(writer, chain, renderer)


def _take_over_the_libraries(
    writer: LineWriter, chain: list[structlog.typing.Processor], renderer: structlog.typing.Processor
) -> None:
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_logger_name],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *chain, renderer],
    )
    handler = _Handler(writer)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)


class _Handler(logging.Handler):
    def __init__(self, writer: LineWriter) -> None:
        super().__init__()
        self._writer = writer

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._writer.msg(self.format(record))
        except Exception:
            self.handleError(record)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=repr)


def _to_json(_logger: Any, _method: str, event: Event) -> str:
    return _ENCODER.encode(event)
