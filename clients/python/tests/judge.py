"""Tells what this client makes of ops that another program made up: a JSON line in, a JSON line out.

``{"before", "batch"}`` is answered by ``{"value"}``, ``{"wires"}`` for one decoder by ``{"batches"}``; a refusal is
``{"code", "index"}``, and the value as it is then comes with it.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Dict

from spillway import Decoder, DeltaError, apply

from .vectors import without_float_integers


def judge(case: Dict[str, Any]) -> Dict[str, Any]:
    if "wires" in case:
        decoder = Decoder()
        return {"batches": [decode(decoder, wire) for wire in case["wires"]]}
    value = case["before"]
    try:
        return {"value": apply(value, case["batch"])}
    except DeltaError as error:
        return {**refusal(error), "value": value}


def decode(decoder: Decoder, wire: Any) -> Any:
    try:
        return decoder.decode(wire)
    except DeltaError as error:
        return refusal(error)


def refusal(error: DeltaError) -> Dict[str, Any]:
    return {"code": error.code} if error.index is None else {"code": error.code, "index": error.index}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(without_float_integers(judge(json.loads(line)))))
