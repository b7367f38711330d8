"""Spans of time as clocks show them."""

SECOND_NS = 1_000_000_000


def left_words(ns: int) -> str:
    """What is left, in whole seconds that have begun, so that 0:00 is the end: 9:48, 1:02:03, 2d 03:12:05."""
    minutes, seconds = divmod(-(-max(ns, 0) // SECOND_NS), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days}d {hours:02}:{minutes:02}:{seconds:02}"
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
