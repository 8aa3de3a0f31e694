"""The decoder of one stream: a path comes in full, as an id, or not at all where it is that of the op before."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, cast

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
        check_batch(wire)
        paths = {} if is_base(wire) else self._paths
        defined: Dict[int, Path] = {}
        batch = _expand(wire, paths, defined)
        # Not before all of it has been read, so that a refused batch leaves nothing behind.
        paths.update(defined)
        self._paths = paths
        return batch


def _expand(wire: List[Any], known: Dict[int, Path], defined: Dict[int, Path]) -> List[Op]:
    batch: List[Op] = []
    path: Optional[Path] = None
    for index, op in enumerate(wire):
        if isinstance(op, list) and op[:1] == ["#"]:
            check_arity(op, 3, index)
            _check_path_id(op[1], index)
            check_path(op[2], index)
            defined[op[1]] = op[2]
            continue
        check_verb(op, index)
        if op[0] == "r":
            check_arity(op, ARITY["r"], index)
            check_base_position(index)
        else:
            if len(op) != ARITY[op[0]] - 1:
                check_arity(op, ARITY[op[0]], index)
                path = _read_path(op[1], known, defined, index)
                operands = op[2:]
            elif path is None:
                raise DeltaError("no_previous_path", "needs a path", index=index)
            else:
                operands = op[1:]
            if not path and op[0] != "p":
                raise root_op(index)
            op = [op[0], path, *operands]
            check_operands(op, 2, index)
        check_carried(op, index)
        batch.append(op)
    return batch


def _read_path(ref: Any, known: Dict[int, Path], defined: Dict[int, Path], index: int) -> Path:
    if not is_number(ref):
        check_path(ref, index)
        return cast(Path, ref)
    _check_path_id(ref, index)
    path = defined.get(ref, known.get(ref))
    if path is None:
        raise DeltaError("unknown_path_id", "needs a base batch", index=index)
    return path


def _check_path_id(path_id: Any, index: int) -> None:
    if not (is_count(path_id) and path_id < MAX_PATH_IDS):
        raise DeltaError("bad_path_id", f"needs at most {MAX_PATH_IDS - 1}", index=index)
