"""``follow``: a value that is kept like the host's over any number of connections."""

from __future__ import annotations

import json
import random
import time
from typing import Any, Callable, Iterable, Iterator, Optional

from .consumer import Change, Consumer
from .errors import StreamError
from .sse import Event, EventParser

PROTOCOL_VERSION = 2
"""The latest protocol that this program reads."""
MIN_PAUSE_SECONDS = 0.2
"""Pause before the second try to connect; it doubles with each further one."""
MAX_PAUSE_SECONDS = 5.0
_PROVEN_SECONDS = 10.0

Connect = Callable[[], Iterable[bytes]]
"""Opens a connection and gives its bytes as they come; where that has a ``close``, it is called at the end."""


def follow(
    connect: Connect,
    *,
    on_wait: Optional[Callable[[StreamError], None]] = None,
    sleep: Callable[[float], None] = time.sleep,
    chance: Callable[[], float] = random.random,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Change]:
    """Gives each change until the stream's end: connects, folds, and connects again after a cut, a silence or a doubt.

    ``on_wait`` is told why a connection did not go on, before the pause. Raises ``StreamError`` where another
    connection would not go better.
    """
    consumer = Consumer()
    failures = 0
    while True:
        began = clock()
        consumer.restart()
        try:
            yield from read_stream(connect(), consumer)
            return
        except StreamError as error:
            if not error.retryable:
                raise
            failure = error
        if clock() - began >= _PROVEN_SECONDS:
            failures = 0
        if on_wait is not None:
            on_wait(failure)
        longest = min(MIN_PAUSE_SECONDS * 2**failures, MAX_PAUSE_SECONDS)
        failures = min(failures + 1, 10)
        # Half of the pause is left to chance, so that many who were cut off together do not come back together.
        sleep(longest / 2 * (1 + chance()))


def read_stream(pieces: Iterable[bytes], consumer: Consumer) -> Iterator[Change]:
    """Reads one connection into a consumer. Returns at the end of the stream; raises ``StreamError`` at any other."""
    parser = EventParser()
    try:
        for piece in pieces:
            for event in parser.push(piece):
                if event.type == "end":
                    return
                change = _take(event, consumer)
                if change is not None:
                    yield change
        raise StreamError("cut", "the connection ended before the stream did")
    finally:
        close = getattr(pieces, "close", None)
        if close is not None:
            close()


def _take(event: Event, consumer: Consumer) -> Optional[Change]:
    if event.type == "open":
        _check_protocol(_parse_json(event.data))
    # Events of other types, heartbeats among them, say no more than that the host lives.
    if event.type != "message":
        return None
    change = consumer.receive(_parse_json(event.data))
    if consumer.needs_base:
        # The one way to ask for a base is a new connection.
        raise StreamError("doubt", f"the consumer needs a base batch: {consumer.error}") from consumer.error
    return change


def _check_protocol(hello: Any) -> None:
    version = hello.get("protocol") if isinstance(hello, dict) else None
    if isinstance(version, (int, float)) and version <= PROTOCOL_VERSION:
        return
    reason = f"the host speaks protocol {version}, this program reads up to {PROTOCOL_VERSION}; update it"
    raise StreamError("protocol_mismatch", reason)


def _parse_json(text: str) -> Any:
    """What is no JSON becomes ``None``, which a consumer refuses as any other malformed message."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None


def _refuse_constant(name: str) -> None:
    # NaN and the infinities are words that Python reads as numbers; JSON has none of them.
    raise ValueError(f"{name} is not JSON")
