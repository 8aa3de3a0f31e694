"""Follows a live run until its end: ``python3 -m spillway SESSION`` prints its text as it comes."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Iterator, List, Optional

from .connection import open_stream
from .consumer import Change
from .errors import SpillwayError, StreamError
from .following import follow
from .runs import find_run


def main(arguments: Optional[List[str]] = None) -> int:
    """Gives 0 at the end of the stream, 1 where following it came to another end."""
    options = _parse(arguments)
    change: Optional[Change] = None
    losses: List[StreamError] = []

    def lose(error: StreamError) -> None:
        if not losses:
            _tell(f"{error}; connecting again")
        losses.append(error)

    try:
        for change in follow(lambda: _connect(options.session, options.facet), on_wait=lose):
            if losses:
                _tell("connected again")
                losses.clear()
            if not options.json:
                _print("".join(_new_texts(change)))
    except (SpillwayError, ValueError) as error:
        _tell(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    if options.json and change is not None:
        _print(f"{json.dumps(change.value)}\n")
    return 0


def _parse(arguments: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m spillway", description=__doc__)
    parser.add_argument("session", metavar="SESSION", help="its id, as `spillway sessions` lists it")
    parser.add_argument("--facet", default="chat", help="chat (default) or lane")
    parser.add_argument("--json", action="store_true", help="print the last value as JSON instead of the text")
    return parser.parse_args(arguments)


def _connect(session: str, facet: str) -> Iterator[bytes]:
    # Read anew each time: a process that resumes the session says so in the same place.
    run = find_run(session)
    if run is None:
        raise StreamError("refused", f"no process runs session {session}; spillway show {session} has what is stored")
    return open_stream(run.address, run.facet_path(facet), run.token)


def _new_texts(change: Change) -> Iterator[str]:
    """What a change brought to read: the ops say it, so nothing is compared and nothing of the shape is known."""
    for op in change.batch:
        if op[0] == "r":
            yield from _texts_of(op[1])
        elif op[0] == "s":
            yield from _texts_of({op[1][-1]: op[2]})
        elif op[0] == "p":
            yield from _texts_of(op[4])
        elif op[0] == "a" and op[1][-1] == "text":
            yield op[2]


def _texts_of(value: Any) -> Iterator[str]:
    """Every string that stands under the name ``text``."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "text" and isinstance(item, str):
                yield item
            else:
                yield from _texts_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts_of(item)


def _print(text: str) -> None:
    # Half a character has no bytes of its own.
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _tell(what: str) -> None:
    print(f"spillway: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
