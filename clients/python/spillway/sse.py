"""Server-sent events out of a stream of bytes that is cut into pieces anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, List, Optional

from .errors import StreamError

MAX_FRAME_BYTES = 2 * 1_048_576
"""Bytes of one event, beyond which a stream is not read on: a base is at most 1 MiB."""


@dataclass(frozen=True)
class Event:
    """One event; ``type`` is ``message`` where the stream names none."""

    type: str
    data: str


class EventParser:
    """Reads events. A line ends at the byte 0x0A and nowhere else."""

    def __init__(self, max_frame_bytes: int = MAX_FRAME_BYTES) -> None:
        self._max_frame_bytes = max_frame_bytes
        self._pieces: List[bytes] = []
        self._frame_bytes = 0
        self._type = ""
        self._data: List[str] = []

    def push(self, piece: bytes) -> Iterator[Event]:
        """The events that are complete with this piece. Raises ``StreamError`` with ``frame_too_large``."""
        *ends, rest = piece.split(b"\n")
        for end in ends:
            self._keep(end)
            event = self._take_line()
            if event is not None:
                yield event
        self._keep(rest)

    def _keep(self, piece: bytes) -> None:
        self._frame_bytes += len(piece)
        if self._frame_bytes > self._max_frame_bytes:
            reason = f"one event of the stream has more than {self._max_frame_bytes} bytes; the connection is given up"
            raise StreamError("frame_too_large", reason)
        if piece:
            self._pieces.append(piece)

    def _take_line(self) -> Optional[Event]:
        raw = b"".join(self._pieces)
        self._pieces = []
        line = (raw[:-1] if raw.endswith(b"\r") else raw).decode("utf-8", "replace")
        if line == "":
            return self._take_event()
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            self._type = value
        elif field == "data":
            self._data.append(value)
        return None

    def _take_event(self) -> Optional[Event]:
        event = Event(self._type or "message", "\n".join(self._data)) if self._data else None
        self._type = ""
        self._data = []
        self._frame_bytes = 0
        return event
