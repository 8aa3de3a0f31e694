"""The consumer: folds a stream's numbered messages and knows when it needs a base. It knows nothing of what it keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional

from .decoder import Decoder
from .delta import NO_VALUE, apply
from .errors import ConsumerError, DeltaError
from .ops import Json, Op, is_base, is_count


@dataclass(frozen=True)
class Change:
    """What one message changed. ``value`` is the consumer's own, changed in place by the next message."""

    value: Json
    seq: int
    batch: List[Op]


@dataclass
class Counters:
    """``ignored``: messages that were part of the value already, or came while a base was due."""

    applied: int = 0
    ignored: int = 0
    refused: int = 0


class Consumer:
    """Keeps a copy of a host's value by folding the messages of one stream after the other.

    A base is taken at any number, anything else only at the one after the last. What does not fit changes nothing and
    keeps the last value; from then on nothing but a base is taken.
    """

    def __init__(self) -> None:
        self.value: Json = NO_VALUE
        """The last good value, kept through any doubt; ``NO_VALUE`` before the first base. Read it, don't keep it."""
        self.seq: Optional[int] = None
        """Number of the last message that is part of ``value``."""
        self.error: Optional[ConsumerError] = None
        """The last doubt, also after it was resolved."""
        self.counters = Counters()
        self._decoder = Decoder()
        # `opening`: a base is due without being asked for; `asking`: it must be asked for.
        self._phase = "opening"

    @property
    def needs_base(self) -> bool:
        """Whether nothing but a base batch is accepted."""
        return self._phase != "following"

    def restart(self) -> None:
        """A new stream begins: its first message must be a base."""
        self._phase = "opening"

    def receive(self, message: Any) -> Optional[Change]:
        """Takes one message as parsed from JSON and gives what it changed. Whatever it is, this raises nothing."""
        if not _is_message(message):
            return self._doubt(ConsumerError("malformed_message", 'a message is {"seq": integer from 0, "ops": array}'))
        seq, ops = int(message["seq"]), message["ops"]
        if is_base(ops):
            return self._apply(seq, ops)
        if self._phase == "opening":
            return self._doubt(ConsumerError("gap", f"the stream begins with message {seq}, which is no base batch"))
        last = -1 if self.seq is None else self.seq
        if self._phase == "asking" or seq <= last:
            self.counters.ignored += 1
            return None
        if seq != last + 1:
            return self._doubt(ConsumerError("gap", f"message {seq} came after {last}; those between are missing"))
        return self._apply(seq, ops)

    def _apply(self, seq: int, ops: Any) -> Optional[Change]:
        try:
            batch = self._decoder.decode(ops)
            self.value = apply(self.value, batch)
        except DeltaError as cause:
            error = ConsumerError("refused_ops", f"message {seq} was refused: {cause}")
            error.__cause__ = cause
            return self._doubt(error)
        self.seq = seq
        self._phase = "following"
        self.counters.applied += 1
        return Change(self.value, seq, batch)

    def _doubt(self, error: ConsumerError) -> Optional[Change]:
        self.error = error
        self.counters.refused += 1
        self._phase = "asking"
        return None


def _is_message(message: Any) -> bool:
    return isinstance(message, dict) and is_count(message.get("seq")) and isinstance(message.get("ops"), list)
