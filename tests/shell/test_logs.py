"""What is written to the log, by a process of its own: lines, libraries, and no secrets (cases S20)."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gammon_shell.log_writer import MOST_WAITING, LineWriter
from gammon_shell.logs import SecretFilter

JWT = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
PEM = "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----"


def logged(program: str, level: str = "info", log_format: str = "json") -> list[dict[str, Any]]:
    text = written(program, level, log_format)
    return [json.loads(line) for line in text.splitlines()]


def written(program: str, level: str = "info", log_format: str = "json") -> str:
    start = (
        "import structlog, logging\n"
        "from gammon_shell import logs\n"
        f"logs.configure('echo', {level!r}, {log_format!r})\n"
        "log = structlog.get_logger()\n"
    )
    return subprocess.run(
        [sys.executable, "-c", start + program], stderr=subprocess.PIPE, text=True, check=True, timeout=30
    ).stderr


def test_a_line_is_json_and_names_its_role() -> None:
    (line,) = logged("log.info('hello', number=0, text='ä\\nö', none=None, path=__import__('pathlib').Path('/x'))")
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "hello", "level": "info", "role": "echo", "number": 0, "text": "ä\nö", "none": None,
        "path": "PosixPath('/x')",
    }  # fmt: skip


def test_text_is_for_people() -> None:
    text = written("log.info('hello', number=7)", log_format="text")
    assert "hello" in text
    assert not text.startswith("{")


def test_the_level_is_the_least_that_is_written() -> None:
    program = "log.debug('a'); log.info('b'); log.warning('c'); log.error('d')"
    assert [line["event"] for line in logged(program, "warning")] == ["c", "d"]
    assert [line["event"] for line in logged(program, "debug")] == ["a", "b", "c", "d"]


def test_libraries_log_through_the_same_chain() -> None:
    program = (
        "logging.getLogger('asyncio').info('left out')\n"
        f"logging.getLogger('asyncio').warning('see redis://u:hunter2@h/0 and %s', {JWT!r})\n"
    )
    (line,) = logged(program)
    assert (line["level"], line["role"], line["logger"]) == ("warning", "echo", "asyncio")
    assert line["event"] == "see redis://***@h/0 and ***"


def test_a_trace_is_written_without_its_secrets() -> None:
    program = (
        "try:\n"
        "    raise ValueError('at redis://u:hunter2@h/0 with ' + 'eyJ' + 'hbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.x')\n"
        "except ValueError:\n"
        "    log.exception('fault')\n"
    )
    (line,) = logged(program)
    assert "Traceback" in line["exception"]
    assert "ValueError: at redis://***@h/0 with ***" in line["exception"]


def test_no_secret_in_a_debug_log() -> None:
    program = (
        f"jwt, pem = {JWT!r}, {PEM!r}\n"
        "log.debug('a', authorization='Bearer hunter2', token='hunter2', password='hunter2', secret='hunter2')\n"
        "log.debug('b', chain_root=b'hunter2', revealed_links=['hunter2'], Api_Token='hunter2', private_key='x')\n"
        "log.debug('c', headers={'authorization': 'hunter2', 'inner': [{'cookie': 'hunter2'}]}, x=(jwt, [pem]))\n"
        "log.debug('d ' + pem, text='got ' + jwt, url='rediss://default:hunter2@h:1/0', both=[pem])\n"
        "log.debug('e', object=type('O', (), {'__repr__': lambda _: 'redis://:hunter2@h'})())\n"
    )
    text = written(program, "debug")
    assert [json.loads(line)["level"] for line in text.splitlines()] == ["debug"] * 5
    assert "hunter2" not in text
    assert JWT not in text
    assert JWT.split(".")[1] not in text


def test_what_is_no_secret_stays() -> None:
    event = {"event": "call", "subject": "b@x", "key": "m:{7}", "rooted": 1, "mail": "a@b", "url": "redis://h/0"}
    assert SecretFilter()(None, "", dict(event)) == event


def test_a_service_may_name_more_secrets() -> None:
    assert SecretFilter({"seed"})(None, "", {"server_seed": "x", "seedling": "y"}) == {
        "server_seed": "***",
        "seedling": "y",
    }


def test_lines_arrive_soon_in_order_and_at_exit(tmp_path: Path) -> None:
    file = tmp_path / "log"
    with file.open("wb") as out:
        writer = LineWriter(out.fileno())
        for number in range(1000):
            writer.msg(str(number))
        deadline = time.monotonic() + 5
        while len(file.read_text().splitlines()) < 1000:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        writer.msg("last")
        writer.close()
    assert file.read_text().splitlines() == [*map(str, range(1000)), "last"]
    program = "import atexit\nfor i in range(5000): log.info('line', i=i)"
    assert [line["i"] for line in logged(program)] == list(range(5000))


def test_a_reader_that_stalls_costs_lines_and_no_time() -> None:
    read, write = os.pipe()
    writer = LineWriter(write)
    writer.msg("x" * 200_000)  # more than the pipe holds
    time.sleep(0.2)
    started = time.monotonic()
    for number in range(MOST_WAITING + 17):
        writer.msg(str(number))
    assert time.monotonic() - started < 1
    with os.fdopen(read, "rb") as reader:
        assert reader.readline() == b"x" * 200_000 + b"\n"
        lines = [reader.readline().decode().strip() for _ in range(MOST_WAITING + 1)]
        writer.close()
    os.close(write)
    assert lines[:-1] == [str(number) for number in range(17, MOST_WAITING + 17)]
    assert json.loads(lines[-1])["lines"] == 17


@pytest.mark.parametrize("gone", [True, False])
def test_a_reader_that_is_gone_does_not_stop_the_service(gone: bool) -> None:
    read, write = os.pipe()
    if gone:
        os.close(read)
    writer = LineWriter(write)
    writer.msg("hello")
    writer.close()
    if not gone:
        assert os.read(read, 100) == b"hello\n"
        os.close(read)
    os.close(write)
