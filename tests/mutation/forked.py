"""Trials side by side, each in a process of its own, with a progress bar."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from multiprocessing import connection
from multiprocessing.context import ForkProcess
from typing import cast

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from tests.mutation.trial import End, Trial, Verdict, run

AT_ONCE = 2


def verdicts(trials: Sequence[Trial], at_once: int = AT_ONCE) -> Iterator[tuple[int, Verdict]]:
    """The verdict on each trial by its index, as they come in."""
    fork = multiprocessing.get_context("fork")
    waiting = list(enumerate(trials))[::-1]
    running: dict[connection.Connection, tuple[int, ForkProcess]] = {}
    while waiting or running:
        while waiting and len(running) < at_once:
            index, trial = waiting.pop()
            answer, child_end = fork.Pipe(duplex=False)
            process = fork.Process(target=run, args=(trial, child_end))
            process.start()
            child_end.close()
            running[answer] = (index, process)
        for answer in cast(list[connection.Connection], connection.wait(list(running))):
            index, process = running.pop(answer)
            yield index, _verdict(answer, process)


def _verdict(answer: connection.Connection, process: ForkProcess) -> Verdict:
    with answer:
        try:
            verdict: Verdict = answer.recv()
        except EOFError:
            process.join()
            return Verdict(End.TIME if process.exitcode == -signal.SIGPROF else End.CRASH)
    process.join()
    return verdict


def with_progress(about: str, trials: Sequence[Trial], console: Console) -> list[Verdict]:
    """The verdicts in the order of the trials."""
    found: dict[int, Verdict] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # No thread of its own: a process forked while it draws would inherit a lock that nobody releases.
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        task = progress.add_task(about, total=len(trials))
        for index, verdict in verdicts(trials):
            found[index] = verdict
            progress.update(task, advance=1, refresh=True)
    return [found[index] for index in range(len(trials))]
