"""What stands on the screen of a terminal after what was written to it: as much of ECMA-48 as `gammon play` uses."""

import re

_CONTROL = re.compile(r"\x1b(?:\[([\d;]*)([A-Za-z])|([78D]))|([\r\n\b])|([^\x1b\r\n\b])", re.DOTALL)


class Screen:
    """Lines of 80 columns. Raises ValueError on a sequence that it does not know."""

    def __init__(self, lines: int = 24, columns: int = 80) -> None:
        self.lines, self.columns = lines, columns
        self.rows = [[" "] * columns for _ in range(lines)]
        self.row = self.column = 0
        self._kept = (0, 0)
        self.bottom = lines - 1

    def write(self, text: str) -> "Screen":
        """Writes all of a text."""
        at = 0
        for found in _CONTROL.finditer(text):
            if found.start() != at:
                raise ValueError(repr(text[at : found.start()]))
            at = found.end()
            numbers, final, escape, control, letter = found.groups()
            if letter:
                self._put(letter)
            elif control:
                self._move(control)
            elif escape:
                self._escape(escape)
            else:
                self._sequence([int(number or 0) for number in numbers.split(";")], final)
        return self

    def line(self, number: int) -> str:
        """A line, from 0 or from the end."""
        return "".join(self.rows[number]).rstrip()

    def at_cursor(self) -> str:
        """The line that the cursor stands on, up to there."""
        return "".join(self.rows[self.row][: self.column])

    def _put(self, letter: str) -> None:
        if self.column == self.columns:
            self.column = 0
            self._down()
        self.rows[self.row][self.column] = letter
        self.column += 1

    def _move(self, control: str) -> None:
        match control:
            case "\r":
                self.column = 0
            case "\n":
                self._down()
            case "\b":
                self.column -= 1

    def _down(self) -> None:
        if self.row == self.bottom:
            del self.rows[0]
            self.rows.insert(self.bottom, [" "] * self.columns)
        elif self.row < self.lines - 1:
            self.row += 1

    def _escape(self, escape: str) -> None:
        match escape:
            case "7":
                self._kept = (self.row, self.column)
            case "8":
                self.row, self.column = self._kept
            case "D":
                self._down()

    def _sequence(self, numbers: list[int], final: str) -> None:
        match final, numbers:
            case "m", _:
                pass
            case "A", [0]:
                self.row -= 1
            case "H", [row, column]:
                self.row, self.column = row - 1, column - 1
            case "K", [2]:
                self.rows[self.row] = [" "] * self.columns
            case "r", [0]:
                self.row, self.column, self.bottom = 0, 0, self.lines - 1
            case "r", [1, bottom]:
                self.row, self.column, self.bottom = 0, 0, bottom - 1
            case _:
                raise ValueError(f"{numbers}{final}")
