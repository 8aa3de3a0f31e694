"""JSON values: what an op carries is checked, and copied before it becomes part of a value."""

from __future__ import annotations

from math import isfinite
from typing import Any, List

from .errors import DeltaError
from .ops import Json, Op

MAX_DEPTH = 256
"""Deepest nesting of a value, counted from the root of the whole."""


def copy_value(value: Any, depth: int) -> Json:
    """A deep copy of a value that goes ``depth`` levels below the root. Raises ``not_json`` or ``too_deep``."""
    if isinstance(value, dict):
        _check_container(value, depth)
        return {key: copy_value(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        _check_depth(depth)
        return [copy_value(item, depth + 1) for item in value]
    return _check_scalar(value)


def copy_items(items: List[Any], depth: int) -> List[Json]:
    """Copies of the elements that go into an array ``depth`` levels below the root."""
    return [copy_value(item, depth + 1) for item in items]


def check_carried(op: Op, index: int) -> None:
    """Refuses a plain op of right shape that carries what ``copy_value`` refuses."""
    try:
        if op[0] == "r":
            _check(op[1], 0)
        elif op[0] == "s":
            _check(op[2], len(op[1]))
        elif op[0] == "p":
            for item in op[4]:
                _check(item, len(op[1]) + 1)
    except DeltaError as error:
        raise error.at_op(index) from None


def _check(value: Any, depth: int) -> None:
    if isinstance(value, dict):
        _check_container(value, depth)
        for item in value.values():
            _check(item, depth + 1)
    elif isinstance(value, list):
        _check_depth(depth)
        for item in value:
            _check(item, depth + 1)
    else:
        _check_scalar(value)


def _check_container(value: Any, depth: int) -> None:
    _check_depth(depth)
    for key in value:
        if not isinstance(key, str):
            raise DeltaError("not_json", "needs strings for keys")


def _check_depth(depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise DeltaError("too_deep", f"needs at most {MAX_DEPTH} levels")


def _check_scalar(value: Any) -> Json:
    if value is None or isinstance(value, (str, bool)):
        return value
    # Integers of any size are Python's alone: beyond what a double holds they are infinite to everybody else.
    if isinstance(value, int) and value.bit_length() <= 1_024:
        return value
    if isinstance(value, float) and isfinite(value):
        # As everywhere in delta, -0 is 0.
        return value if value != 0 else 0
    raise DeltaError("not_json", "needs plain data or a finite number")
