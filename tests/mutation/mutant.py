"""A hand-written mutant."""

from __future__ import annotations

from typing import NamedTuple

from tests.mutation.trial import ENGINE


class Mutant(NamedTuple):
    """A way to break one paragraph of the law, and the test of that paragraph that must notice.

    `file` lies under `services/gammon_engine`, `fragment` occurs in it exactly once and gives way to `replacement`.
    `test` is a node id under `tests/engine` that names the paragraph.
    """

    paragraph: str
    file: str
    fragment: str
    replacement: str
    test: str

    @property
    def node_id(self) -> str:
        """The killing test, from the project's root."""
        return f"tests/engine/{self.test}"

    def source(self) -> str:
        """The text of the file with the mutant in it.

        Raises:
            LookupError: the fragment is not there exactly once.
        """
        text = (ENGINE / self.file).read_text(encoding="utf-8")
        if text.count(self.fragment) != 1:
            raise LookupError(f"{self.paragraph}: {self.file} has {text.count(self.fragment)} times {self.fragment!r}")
        return text.replace(self.fragment, self.replacement)
