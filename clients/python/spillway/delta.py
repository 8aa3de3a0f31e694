"""``apply``: six verbs on a plain value."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Union

from .errors import DeltaError
from .ops import Json, Op, Path, check_batch, check_op, is_number
from .text import count_units, drop_units, join, joins_at_seam
from .values import copy_items, copy_value

Undo = Callable[[], object]
Container = Union[Dict[str, Any], List[Any]]


class _NoValue:
    """The type of ``NO_VALUE``, since ``None`` is a value of JSON."""

    def __repr__(self) -> str:
        return "NO_VALUE"


NO_VALUE = _NoValue()
"""What a value is before its first base batch."""


def apply(value: Json, batch: Any) -> Json:
    """Folds a batch into a value and gives the value: the same one, changed in place, or the new one of a base batch.

    All or nothing: when an op is malformed or does not fit, what was applied is undone and a ``DeltaError`` with the
    op's index is raised. Values are copied in, so the batch stays the caller's. ``value`` is ``NO_VALUE`` at first.
    """
    check_batch(batch)
    undos: List[Undo] = []
    current = value
    index = 0
    try:
        for index, op in enumerate(batch):
            check_op(op, index)
            if op[0] == "r":
                current = copy_value(op[1], 0)
            else:
                undos.append(_apply_op(current, op))
        if current is NO_VALUE:
            raise _no_value()
    except BaseException as error:
        for undo in reversed(undos):
            undo()
        if isinstance(error, DeltaError):
            raise error.at_op(index) from None
        raise
    return current


def _apply_op(root: Json, op: Op) -> Undo:
    if root is NO_VALUE:
        raise _no_value()
    if not isinstance(root, (dict, list)):
        raise DeltaError("wrong_target", "needs a base batch", path=[])
    path = op[1]
    if op[0] == "p":
        return _splice(_enter(root, path, len(path)), op)
    holder = _enter(root, path, len(path) - 1)
    key = _key_of(holder, path, len(path) - 1)
    if op[0] == "s":
        return _put(holder, key, op)
    if op[0] == "d":
        return _delete(holder, key, path)
    _check_text(holder, key, path)
    return _append(holder, key, op[2]) if op[0] == "a" else _drop(holder, key, op)


def _put(holder: Any, key: Any, op: Op) -> Undo:
    path, value = op[1], op[2]
    if isinstance(holder, list) and key > len(holder):
        raise _out_of_range(len(holder), path)
    copied = copy_value(value, len(path))
    if isinstance(holder, list) and key == len(holder):
        holder.append(copied)
        return holder.pop
    if isinstance(holder, dict) and key not in holder:
        holder[key] = copied
        return lambda: holder.pop(key)
    return _overwrite(holder, key, copied)


def _delete(holder: Any, key: Any, path: Path) -> Undo:
    if isinstance(holder, list):
        raise DeltaError("wrong_target", "needs an object", path=path)
    if key not in holder:
        raise _missing("a key", path)
    old = holder.pop(key)
    return lambda: holder.__setitem__(key, old)


def _append(holder: Any, key: Any, more: str) -> Undo:
    text = holder[key]
    if joins_at_seam(text, more):
        return _overwrite(holder, key, join(text, more))
    length = len(text)
    # CPython lengthens a string in place where one variable alone refers to it, so the cost follows what is appended.
    holder[key] = None
    text += more
    holder[key] = text
    return lambda: holder.__setitem__(key, holder[key][:length])


def _drop(holder: Any, key: Any, op: Op) -> Undo:
    text, count = holder[key], int(op[2])
    # No text has fewer code units than code points: the exact length matters only beyond these.
    if count > len(text) and count > count_units(text):
        reason = f"needs at most {count_units(text)} code units"
        raise DeltaError("out_of_range", reason, path=op[1])
    return _overwrite(holder, key, drop_units(text, count))


def _splice(target: Container, op: Op) -> Undo:
    path, index, remove, items = op[1], int(op[2]), int(op[3]), op[4]
    if not isinstance(target, list):
        raise DeltaError("wrong_target", "needs an array", path=path)
    if index > len(target):
        raise _out_of_range(len(target), path)
    if remove > len(target) - index:
        reason = f"needs at most {len(target) - index} elements"
        raise DeltaError("out_of_range", reason, path=path)
    copied = copy_items(items, len(path))
    removed = target[index : index + remove]
    target[index : index + remove] = copied
    return lambda: target.__setitem__(slice(index, index + len(copied)), removed)


def _overwrite(holder: Any, key: Any, value: Json) -> Undo:
    old = holder[key]
    holder[key] = value
    return lambda: holder.__setitem__(key, old)


def _enter(root: Container, path: Path, count: int) -> Any:
    """The container that the first ``count`` segments of a path lead to."""
    place: Any = root
    for depth in range(count):
        key = _key_of(place, path, depth)
        way = path[: depth + 1]
        if not _holds(place, key):
            raise _missing("an object or array", way)
        place = place[key]
        if not isinstance(place, (dict, list)):
            raise DeltaError("wrong_target", "needs an object or array", path=way)
    return place


def _key_of(place: Container, path: Path, depth: int) -> Union[str, int]:
    """The segment at ``depth``, which must be of the kind that the container there is addressed by."""
    segment = path[depth]
    if is_number(segment):
        if isinstance(place, dict):
            raise DeltaError("wrong_target", "needs an array", path=path)
        return int(segment)
    if isinstance(place, list):
        raise DeltaError("wrong_target", "needs an object", path=path)
    return segment


def _holds(place: Container, key: Any) -> bool:
    return key in place if isinstance(place, dict) else key < len(place)


def _check_text(holder: Any, key: Any, path: Path) -> None:
    if not _holds(holder, key):
        raise _missing("a string", path)
    if not isinstance(holder[key], str):
        raise DeltaError("wrong_target", "needs a string", path=path)


def _missing(needed: str, path: Path) -> DeltaError:
    return DeltaError("missing_target", f"needs {needed}", path=path)


def _out_of_range(length: int, path: Path) -> DeltaError:
    reason = f"needs at most {length} elements"
    return DeltaError("out_of_range", reason, path=path)


def _no_value() -> DeltaError:
    return DeltaError("no_value", "needs a base batch", path=[])
