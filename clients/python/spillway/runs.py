"""Where the process that runs a session listens, as it says itself in a file that its user alone can read."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Optional

_SESSION_ID = re.compile(r"[a-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Run:
    """A session that a process runs, or ran until it was killed. ``token`` is the one for viewing."""

    session: str
    address: str
    token: str

    def facet_path(self, facet: str, lane: str = "main") -> str:
        """Where the stream of a facet is, for ``open_stream``."""
        return f"/api/sessions/{self.session}/lanes/{lane}/facets/{facet}"


def find_run(session: str, environ: Mapping[str, str] = os.environ) -> Optional[Run]:
    """The run of a session on this machine; none where no process says that it has it."""
    if _SESSION_ID.fullmatch(session) is None:
        raise ValueError(f"{session!r} is no session id; spillway sessions lists them")
    file = _state_folder(environ) / "run" / f"{session}.json"
    try:
        notes = json.loads(file.read_text("utf-8"))
        return Run(session, f"unix:{notes['socket']}", notes["tokens"]["view"])
    except (OSError, ValueError, LookupError, TypeError):
        # Absent, or left unfinished by a power cut: either way nobody is announced.
        return None


def _state_folder(environ: Mapping[str, str]) -> Path:
    own = environ.get("SPILLWAY_HOME", "")
    if own != "":
        return Path(own)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "spillway"
    base = environ.get("XDG_STATE_HOME", "")
    # The XDG rules say that a relative path is to be ignored.
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "state") / "spillway"
