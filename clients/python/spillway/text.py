"""Text whose lengths count UTF-16 code units, in strings that count code points.

A surrogate is a code point of its own only where its other half is not beside it. So two halves that meet become one
character, and a character that is cut leaves one half: both as in JavaScript, where every string is made of halves.
"""

from __future__ import annotations

_CODEC = ("utf-16-le", "surrogatepass")


def count_units(text: str) -> int:
    """How many UTF-16 code units a text has."""
    return len(text) if text.isascii() else len(text.encode(*_CODEC)) // 2


def joins_at_seam(text: str, more: str) -> bool:
    """Whether the last of ``text`` and the first of ``more`` are halves of one character."""
    return "\ud800" <= text[-1:] <= "\udbff" and "\udc00" <= more[:1] <= "\udfff"


def join(text: str, more: str) -> str:
    """Both texts, with halves that meet made one."""
    if not joins_at_seam(text, more):
        return text + more
    return text[:-1] + (text[-1] + more[0]).encode(*_CODEC).decode(*_CODEC) + more[1:]


def drop_units(text: str, count: int) -> str:
    """The text without its first ``count`` code units, of which it has as many. Looks at no more than these."""
    # No code point is less than one unit, so what goes lies within as many code points.
    head = text[:count]
    if head.isascii():
        return text[count:]
    units = head.encode(*_CODEC)
    if len(units) == 2 * len(head):
        return text[count:]
    dropped = units[: 2 * count].decode(*_CODEC)
    rest = text[len(dropped) :]
    is_torn = dropped[-1:] != text[len(dropped) - 1 : len(dropped)]
    return chr(int.from_bytes(units[2 * count : 2 * count + 2], "little")) + rest if is_torn else rest
