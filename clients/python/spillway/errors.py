"""What goes wrong. Programs switch on ``code``, which is the same in every language, and never on a message."""

from __future__ import annotations

import json
from typing import Optional, Sequence, Union

Segment = Union[str, int]


class SpillwayError(Exception):
    """Everything that this package refuses or reports."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class DeltaError(SpillwayError):
    """An op that is malformed or does not fit the value.

    ``index`` is the op's position in its batch and ``path`` the place in the value, where there is one. Codes:

    - shape of ops: ``not_a_batch``, ``unknown_verb``, ``wrong_arity``, ``bad_path``, ``refused_segment``,
      ``misplaced_base``, ``root_op``, ``bad_count``, ``bad_index``, ``not_text``, ``not_items``;
    - encoded ops only: ``bad_path_id``, ``unknown_path_id``, ``no_previous_path``;
    - ops that do not fit the value: ``no_value``, ``missing_target``, ``wrong_target``, ``out_of_range``;
    - values: ``not_json``, ``too_deep``.
    """

    def __init__(
        self,
        code: str,
        reason: str,
        *,
        index: Optional[int] = None,
        path: Optional[Sequence[Segment]] = None,
    ) -> None:
        op = "" if index is None else f"op {index}: "
        place = "" if path is None else f" (at {_describe_path(path)})"
        super().__init__(code, f"{op}{code}: {reason}{place}")
        self.reason = reason
        self.index = index
        self.path = path

    def at_op(self, index: int) -> DeltaError:
        """The same error with the op's index, unless it has one."""
        if self.index is not None:
            return self
        return DeltaError(self.code, self.reason, index=index, path=self.path)


class ConsumerError(SpillwayError):
    """Why a consumer is in doubt about its value.

    - ``malformed_message``: what was received is not ``{seq, ops}``.
    - ``gap``: a message is missing before this one.
    - ``refused_ops``: the ops are malformed or do not fit the value; ``__cause__`` is the ``DeltaError``.
    """


class StreamError(SpillwayError):
    """Why a connection does not go on.

    - ``refused``: the host answered and will not serve this; ``status`` is its HTTP status.
    - ``protocol_mismatch``: the host speaks a later protocol.
    - ``unreachable``: no connection, or an answer that says to try later.
    - ``cut``: the connection ended without an end of the stream.
    - ``silent``: nothing was received for too long.
    - ``frame_too_large``: one event of the stream exceeds the limit.
    - ``doubt``: the consumer needs a base; ``__cause__`` is its ``ConsumerError``.
    """

    def __init__(self, code: str, message: str, *, status: Optional[int] = None) -> None:
        super().__init__(code, message)
        self.status = status

    @property
    def retryable(self) -> bool:
        """Whether another connection may go better."""
        return self.code not in ("refused", "protocol_mismatch")


def _describe_path(path: Sequence[Segment]) -> str:
    return json.dumps(list(path), ensure_ascii=False, separators=(",", ":"))[:200]
