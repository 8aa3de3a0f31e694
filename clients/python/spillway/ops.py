"""The shape of ops, as they come out of ``json.loads``: whether they fit a value is another question."""

from __future__ import annotations

from typing import Any, List, Sequence

from .errors import DeltaError, Segment

Json = Any
Path = Sequence[Segment]
Op = List[Any]

MAX_PATH_SEGMENTS = 64
"""Deepest place that an op addresses; what changes further down is sent as the value there."""
MAX_PATH_IDS = 1024
"""Most path ids that one encoded stream holds at a time."""

ARITY = {"r": 2, "s": 3, "d": 2, "a": 3, "t": 3, "p": 5}
"""Fields of an op of each verb, the verb included."""

_PATH_NEEDED = f"needs at most {MAX_PATH_SEGMENTS} keys and indexes"
_MAX_COUNT = 2**53 - 1
# Keys that reach a prototype in a careless JavaScript consumer; no stream that is right has one in a path.
_REFUSED_SEGMENTS = ("__proto__", "constructor", "prototype")


def is_base(batch: Any) -> bool:
    """Whether a batch, encoded or not, replaces the whole value."""
    return isinstance(batch, list) and bool(batch) and isinstance(batch[0], list) and batch[0][:1] == ["r"]


def check_batch(batch: Any) -> None:
    """Refuses what is no array of ops."""
    if not isinstance(batch, list):
        raise DeltaError("not_a_batch", "needs an array")


def check_op(op: Any, index: int) -> None:
    """Everything about a plain op's shape except the values that it carries."""
    check_verb(op, index)
    verb = op[0]
    check_arity(op, ARITY[verb], index)
    if verb == "r":
        check_base_position(index)
        return
    check_path(op[1], index)
    if not op[1] and verb != "p":
        raise root_op(index)
    check_operands(op, 2, index)


def check_verb(op: Any, index: int) -> None:
    """Refuses what is no array that begins with a verb."""
    if not isinstance(op, list):
        raise DeltaError("unknown_verb", "needs r, s, d, a, t or p first", index=index)
    verb = op[0] if op else None
    if not (isinstance(verb, str) and verb in ARITY):
        raise DeltaError("unknown_verb", "needs r, s, d, a, t or p first", index=index)


def check_arity(op: Op, arity: int, index: int) -> None:
    if len(op) != arity:
        raise DeltaError("wrong_arity", f"needs {arity} fields", index=index)


def check_base_position(index: int) -> None:
    if index > 0:
        raise DeltaError("misplaced_base", "needs r first", index=index)


def check_path(path: Any, index: int) -> None:
    """Refuses what is no path of at most 64 keys and indexes."""
    if not isinstance(path, list):
        raise DeltaError("bad_path", _PATH_NEEDED, index=index)
    if len(path) > MAX_PATH_SEGMENTS:
        raise DeltaError("bad_path", _PATH_NEEDED, index=index)
    for segment in path:
        if isinstance(segment, str):
            if segment in _REFUSED_SEGMENTS:
                raise DeltaError("refused_segment", f"needs the object around {segment}", index=index)
        elif not is_count(segment):
            raise DeltaError("bad_path", _PATH_NEEDED, index=index)


def check_operands(op: Op, first: int, index: int) -> None:
    """What follows the path of an op of right arity: its fields from position ``first`` on."""
    verb = op[0]
    if verb == "a" and not isinstance(op[first], str):
        raise DeltaError("not_text", "needs a string", index=index)
    if verb == "t" and not is_count(op[first]):
        raise DeltaError("bad_count", "needs an integer from 0", index=index)
    if verb != "p":
        return
    if not is_count(op[first]):
        raise DeltaError("bad_index", "needs an integer from 0", index=index)
    if not is_count(op[first + 1]):
        raise DeltaError("bad_count", "needs an integer from 0", index=index)
    if not isinstance(op[first + 2], list):
        raise DeltaError("not_items", "needs an array", index=index)


def root_op(index: int) -> DeltaError:
    return DeltaError("root_op", "needs a key or index", index=index)


def is_number(value: Any) -> bool:
    """Whether JSON would call it a number: a bool is an int in Python alone."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_count(value: Any) -> bool:
    """Whether ``value`` can count code units or elements. ``1.0`` is the same JSON number as ``1``."""
    return is_number(value) and 0 <= value <= _MAX_COUNT and value == int(value)
