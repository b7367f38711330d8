"""The pictures in the docs are those of the table, as they are drawn today."""

import pytest
from tests.pictures.stamp import is_of
from tests.pictures.table import FOLDER, PICTURES, drawn


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_its_position_as_drawn_today(name: str) -> None:
    drawing = drawn(PICTURES[name])
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == drawing, "make pictures"
    assert is_of((FOLDER / f"{name}.png").read_bytes(), drawing), "make pictures"


def test_there_is_no_other_picture() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(PICTURES)
