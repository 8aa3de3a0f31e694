"""One connection to a stream, over HTTP or HTTPS, TCP or a unix socket."""

from __future__ import annotations

import socket
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Iterator, Optional
from urllib.parse import urlsplit

from .errors import StreamError

SILENCE_SECONDS = 15.0
"""Three heartbeats."""

_PIECE_BYTES = 65_536
_REFUSAL_BYTES = 10_000


def open_stream(
    address: str, path: str, token: str, *, silence_seconds: float = SILENCE_SECONDS
) -> Iterator[bytes]:
    """The bytes of the stream at ``path``, as they come; closing the iterator closes the connection.

    ``address`` is ``http://HOST:PORT``, ``https://HOST:PORT`` or ``unix:/PATH/OF/A/SOCKET``. Raises ``StreamError``.
    """
    connection = _connection_to(address, silence_seconds)
    response = None
    try:
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            raise _refusal(response.status, response.read(_REFUSAL_BYTES))
        while True:
            piece = response.read1(_PIECE_BYTES)
            if not piece:
                return
            yield piece
    except socket.timeout as error:
        reason = f"nothing was received for {silence_seconds:g} s; a heartbeat was due"
        raise StreamError("silent", reason) from error
    except (OSError, HTTPException) as error:
        raise StreamError("unreachable", f"the connection failed: {error!r}") from error
    finally:
        if response is not None:
            response.close()
        connection.close()


class _UnixConnection(HTTPConnection):
    """HTTP over a socket file; the host name in its head says no more than that the server is on this machine."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def _connection_to(address: str, timeout: float) -> HTTPConnection:
    parts = urlsplit(address)
    host: Optional[str] = parts.hostname
    if parts.scheme == "unix" and parts.path != "":
        return _UnixConnection(parts.path, timeout)
    if parts.scheme in ("http", "https") and host is not None:
        kind = HTTPConnection if parts.scheme == "http" else HTTPSConnection
        return kind(host, parts.port, timeout=timeout)
    raise ValueError(f"{address!r} is no address; write http://HOST:PORT, https://HOST:PORT or unix:/PATH")


def _refusal(status: int, body: bytes) -> StreamError:
    """A fault of the server or of something between may pass; a refusal stays."""
    is_lasting = 400 <= status < 500 and status not in (408, 429)
    said = body.decode("utf-8", "replace")[:200]
    return StreamError("refused" if is_lasting else "unreachable", f"the host answered {status}: {said}", status=status)
