"""The cases of ``spec/vectors``, which every consumer shares, and an equality that is JSON's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

FOLDER = Path(__file__).resolve().parents[3] / "spec" / "vectors"


def read_cases(name: str) -> List[Dict[str, Any]]:
    """The cases of one file, such as ``ops/verbs``."""
    cases: List[Dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return cases


def read_folder(name: str) -> Dict[str, List[Dict[str, Any]]]:
    """The cases of all files of a folder, by the files' names."""
    return {path.stem: read_cases(f"{name}/{path.stem}") for path in sorted((FOLDER / name).glob("*.json"))}


def canonical(value: Any) -> str:
    """Text that is equal where JSON values are: ``True`` is not 1, and the order of keys is nothing.

    Not escaped, so that a character differs from two halves which nobody joined.
    """
    return json.dumps(without_float_integers(value), sort_keys=True, ensure_ascii=False)


def without_float_integers(value: Any) -> Any:
    """The value with 1 in the place of 1.0, which is the same number to JSON."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: without_float_integers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_float_integers(item) for item in value]
    return value
