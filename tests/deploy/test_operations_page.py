"""What operators are told is what the roles read, and compose publishes nothing beyond this machine."""

import re
from pathlib import Path

import pytest

from gammon_match.__main__ import MatchConfig
from gammon_rating.__main__ import RatingConfig
from gammon_rules.__main__ import RulesConfig
from gammon_shell.config import PREFIX, RoleConfig

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
COMPOSE = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
WITHOUT = {
    "match_address": "not reached",
    "tls_certificate": "no TLS",
    "tls_key": "no TLS",
    "tls_ca": "plaintext",
    "auth_jwks_url": "a file",
}
FIELDS = {
    name: field for config in (RatingConfig, MatchConfig, RoleConfig) for name, field in config.model_fields.items()
}


@pytest.mark.parametrize("name", FIELDS)
def test_every_variable_has_a_line_with_its_default(name: str) -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("|") and f"`{PREFIX}{name.upper()}`" in line]
    assert len(lines) == 1, lines
    told, field = lines[0].split("|")[2].strip().strip("`"), FIELDS[name]
    match field.default:
        case _ if field.is_required() or name == "auth_public_key":
            assert told == "refused"
        case False:
            assert told == "no"
        case None:
            assert told == WITHOUT[name]
        case 0:
            assert told == "any free one"
        case float(number):
            assert told == f"{number:g}"
        case value:
            assert told == str(value)


def test_the_rules_service_is_told_of_where_it_differs() -> None:
    differing = {
        name: field.default
        for name, field in RulesConfig.model_fields.items()
        if field.default != RoleConfig.model_fields[name].default
    }
    assert list(differing) == ["most_message_bytes"]
    (line,) = [line for line in PAGE.splitlines() if line.startswith("| `GAMMON_MOST_MESSAGE_BYTES`")]
    assert f"of the rules service, which is asked in bulk, {differing['most_message_bytes']} |" in line


def test_the_page_names_no_variable_that_nothing_reads() -> None:
    compose = set(re.findall(r"\$\{(GAMMON_[A-Z_]+)", COMPOSE))
    read = {f"{PREFIX}{name.upper()}" for name in FIELDS} | compose | {"GAMMON_ENDPOINTS"}
    assert set(re.findall(r"GAMMON_[A-Z_]+", PAGE)) <= read
    assert compose <= set(re.findall(r"GAMMON_[A-Z_]+", PAGE))


def test_compose_tells_the_roles_only_what_they_read() -> None:
    told = set(re.findall(r"^ +(GAMMON_[A-Z_]+):", COMPOSE, re.MULTILINE))
    assert told <= {f"{PREFIX}{name.upper()}" for name in FIELDS}
    assert {"GAMMON_AUTH_PUBLIC_KEY", "GAMMON_REDIS_URL", "GAMMON_MATCH_TARGET"} <= told


def test_compose_publishes_on_loopback_only() -> None:
    published = re.findall(r"^ +- ([^ ]+:50051)$", COMPOSE, re.MULTILINE)
    assert len(published) == 3
    assert all(port.startswith("127.0.0.1:${") for port in published), published
    assert COMPOSE.count("ports:") == 3
