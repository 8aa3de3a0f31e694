"""Keeps a copy of a value that another program changes, from the small batches of ops that it sends.

``apply`` folds a batch into a plain value; ``Decoder`` expands the batches of one stream; ``Consumer`` folds a stream's
numbered messages; ``follow`` does all of it over any number of connections.
"""

from .connection import open_stream
from .consumer import Change, Consumer
from .decoder import Decoder
from .delta import NO_VALUE, apply
from .errors import ConsumerError, DeltaError, SpillwayError, StreamError
from .following import follow, read_stream
from .ops import is_base
from .runs import Run, find_run
from .sse import Event, EventParser

__all__ = [
    "NO_VALUE",
    "Change",
    "Consumer",
    "ConsumerError",
    "Decoder",
    "DeltaError",
    "Event",
    "EventParser",
    "Run",
    "SpillwayError",
    "StreamError",
    "apply",
    "find_run",
    "follow",
    "is_base",
    "open_stream",
    "read_stream",
]
