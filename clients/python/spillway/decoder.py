"""The decoder of one stream: a path comes in full, as an id, or not at all where it is that of the op before."""

from __future__ import annotations

from typing import Any, Dict, List

from .errors import DeltaError
from .ops import (
    ARITY,
    MAX_PATH_IDS,
    Op,
    Path,
    check_arity,
    check_base_position,
    check_batch,
    check_operands,
    check_path,
    check_verb,
    is_base,
    is_count,
    is_number,
    root_op,
)
from .values import check_carried


class Decoder:
    """Expands the encoded batches of one stream, in their order. It is as it was after a batch that it refused."""

    def __init__(self) -> None:
        self._paths: Dict[int, Path] = {}

    def decode(self, wire: Any) -> List[Op]:
        """The plain batch that an encoded one stands for. Raises ``DeltaError``."""
        _check_shape(wire)
        paths = {} if is_base(wire) else self._paths
        defined: Dict[int, Path] = {}
        batch = _expand(wire, paths, defined)
        # Not before all of it has been read, so that a refused batch leaves nothing behind.
        paths.update(defined)
        self._paths = paths
        return batch


def _expand(wire: List[Op], known: Dict[int, Path], defined: Dict[int, Path]) -> List[Op]:
    batch: List[Op] = []
    path: Any = []
    for index, op in enumerate(wire):
        if op[0] == "#":
            defined[op[1]] = op[2]
            continue
        if op[0] != "r":
            if len(op) == ARITY[op[0]]:
                path = _resolve(op[1], known, defined, index) if is_number(op[1]) else op[1]
                op = [op[0], path, *op[2:]]
            else:
                op = [op[0], path, *op[1:]]
            if not path and op[0] != "p":
                raise root_op(op[0], index)
        check_carried(op, index)
        batch.append(op)
    return batch


def _resolve(path_id: int, known: Dict[int, Path], defined: Dict[int, Path], index: int) -> Path:
    path = defined.get(path_id, known.get(path_id))
    if path is None:
        reason = f"path id {path_id} was never defined in this stream; ask for a base batch"
        raise DeltaError("unknown_path_id", reason, index=index)
    return path


def _check_shape(wire: Any) -> None:
    check_batch(wire)
    has_path = False
    for index, op in enumerate(wire):
        if isinstance(op, list) and op[:1] == ["#"]:
            check_arity(op, 3, index)
            _check_path_id(op[1], index)
            check_path(op[2], index)
        else:
            _check_op(op, index, has_path)
            has_path = op[0] != "r"


def _check_op(op: Any, index: int, has_path: bool) -> None:
    check_verb(op, index)
    verb, arity = op[0], ARITY[op[0]]
    if verb == "r":
        check_arity(op, arity, index)
        check_base_position(index)
        return
    if len(op) != arity - 1:
        check_arity(op, arity, index)
        _check_path_or_id(op[1], verb, index)
        check_operands(op, 2, index)
    elif has_path:
        check_operands(op, 1, index)
    else:
        reason = f"{verb} has no path and no op before it in the batch has one"
        raise DeltaError("no_previous_path", reason, index=index)


def _check_path_or_id(ref: Any, verb: str, index: int) -> None:
    if is_number(ref):
        _check_path_id(ref, index)
        return
    check_path(ref, index)
    if not ref and verb != "p":
        raise root_op(verb, index)


def _check_path_id(path_id: Any, index: int) -> None:
    if not (is_count(path_id) and path_id < MAX_PATH_IDS):
        raise DeltaError("bad_path_id", f"a path id is an integer from 0 to {MAX_PATH_IDS - 1}", index=index)
