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

_MAX_COUNT = 2**53 - 1
# Keys that reach a prototype in a careless JavaScript consumer; no stream that is right has one in a path.
_REFUSED_SEGMENTS = ("__proto__", "constructor", "prototype")


def is_base(batch: Any) -> bool:
    """Whether a batch, encoded or not, replaces the whole value."""
    return isinstance(batch, list) and bool(batch) and isinstance(batch[0], list) and batch[0][:1] == ["r"]


def check_batch(batch: Any) -> None:
    """Refuses what is no array of ops."""
    if not isinstance(batch, list):
        raise DeltaError("not_a_batch", "a batch is an array of ops")


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
        raise root_op(verb, index)
    check_operands(op, 2, index)


def check_verb(op: Any, index: int) -> None:
    """Refuses what is no array that begins with a verb."""
    if not isinstance(op, list):
        raise DeltaError("unknown_verb", "an op is an array that begins with its verb", index=index)
    verb = op[0] if op else None
    if not (isinstance(verb, str) and verb in ARITY):
        shown = f'"{verb[:20]}"' if isinstance(verb, str) else f"of type {type(verb).__name__}"
        raise DeltaError("unknown_verb", f"the verb {shown} is none of r, s, d, a, t, p", index=index)


def check_arity(op: Op, arity: int, index: int) -> None:
    if len(op) != arity:
        raise DeltaError("wrong_arity", f"an op {op[0]} has {arity} fields, this one has {len(op)}", index=index)


def check_base_position(index: int) -> None:
    if index > 0:
        raise DeltaError(
            "misplaced_base", "r stands first in its batch or nowhere; start a new batch", index=index
        )


def check_path(path: Any, index: int) -> None:
    """Refuses what is no path of at most 64 keys and indexes."""
    if not isinstance(path, list):
        raise DeltaError("bad_path", "a path is an array of object keys and array indexes", index=index)
    if len(path) > MAX_PATH_SEGMENTS:
        reason = f"a path has at most {MAX_PATH_SEGMENTS} segments, this one has {len(path)}"
        raise DeltaError("bad_path", reason, index=index)
    for segment in path:
        if isinstance(segment, str):
            if segment in _REFUSED_SEGMENTS:
                reason = f"a path must not go through {segment}; send the object around it as a value"
                raise DeltaError("refused_segment", reason, index=index)
        elif not is_count(segment):
            raise DeltaError("bad_path", "a path segment is a string or an integer of at least 0", index=index)


def check_operands(op: Op, first: int, index: int) -> None:
    """What follows the path of an op of right arity: its fields from position ``first`` on."""
    verb = op[0]
    if verb == "a" and not isinstance(op[first], str):
        raise DeltaError("not_text", "a appends a string", index=index)
    if verb == "t" and not is_count(op[first]):
        raise DeltaError("bad_count", "t drops an integer of at least 0 code units", index=index)
    if verb != "p":
        return
    if not is_count(op[first]):
        raise DeltaError("bad_index", "p splices at an integer of at least 0", index=index)
    if not is_count(op[first + 1]):
        raise DeltaError("bad_count", "p removes an integer of at least 0 elements", index=index)
    if not isinstance(op[first + 2], list):
        raise DeltaError("not_items", "p inserts an array of items", index=index)


def root_op(verb: str, index: int) -> DeltaError:
    reason = f"{verb} needs a path of at least one segment; only r and p address the root"
    return DeltaError("root_op", reason, index=index)


def is_number(value: Any) -> bool:
    """Whether JSON would call it a number: a bool is an int in Python alone."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_count(value: Any) -> bool:
    """Whether ``value`` can count code units or elements. ``1.0`` is the same JSON number as ``1``."""
    return is_number(value) and 0 <= value <= _MAX_COUNT and value == int(value)
