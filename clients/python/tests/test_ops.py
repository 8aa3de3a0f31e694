"""``apply`` against the shared cases."""

from __future__ import annotations

import copy
import json
import sys
import tracemalloc
import unittest
from typing import Any, Dict

from spillway import NO_VALUE, DeltaError, apply

from .vectors import canonical, read_folder


WARM_UP = 100


class SharedOps(unittest.TestCase):
    def test_every_case_ends_as_it_says(self) -> None:
        files = read_folder("ops")
        self.assertGreater(sum(map(len, files.values())), 200)
        for file, cases in files.items():
            for case in cases:
                with self.subTest(f"{file}: {case['name']}"):
                    self._check(case)

    def _check(self, case: Dict[str, Any]) -> None:
        batch = json.loads(case["batchText"]) if "batchText" in case else case["batch"]
        sent = copy.deepcopy(batch)
        value = copy.deepcopy(case.get("before", NO_VALUE)) if "before" in case else NO_VALUE
        if "error" in case:
            with self.assertRaises(DeltaError) as caught:
                apply(value, batch)
            self.assertEqual(case["error"], _outcome_of(caught.exception))
            self.assertEqual(canonical(case.get("before")), canonical(None if value is NO_VALUE else value))
        else:
            self.assertEqual(canonical(case["after"]), canonical(apply(value, batch)))
        self.assertEqual(repr(sent), repr(batch), "the batch was changed")


def _outcome_of(error: DeltaError) -> Dict[str, Any]:
    return {"code": error.code} if error.index is None else {"code": error.code, "index": error.index}


class Copies(unittest.TestCase):
    def test_what_is_inserted_is_a_copy(self) -> None:
        batch = [["r", {"list": [[]]}], ["s", ["key"], {"k": []}], ["p", ["list"], 0, 0, [{"i": []}]]]

        value = apply(NO_VALUE, batch)
        value["list"][0]["i"].append(1)
        value["list"][1].append(1)
        value["key"]["k"].append(1)

        self.assertEqual([["r", {"list": [[]]}], ["s", ["key"], {"k": []}], ["p", ["list"], 0, 0, [{"i": []}]]], batch)

    def test_a_batch_changes_the_value_in_place_unless_it_is_a_base(self) -> None:
        value = {"a": 1}

        self.assertIs(value, apply(value, [["s", ["a"], 2]]))
        self.assertIsNot(value, apply(value, [["r", {"a": 3}]]))
        self.assertEqual({"a": 2}, value)

    def test_a_text_that_someone_else_holds_is_not_changed(self) -> None:
        value = apply(NO_VALUE, [["r", {"t": "a" * 100}]])
        held = value["t"]

        apply(value, [["a", ["t"], "b"]])

        self.assertEqual("a" * 100, held)
        self.assertEqual("a" * 100 + "b", value["t"])

    @unittest.skipUnless(sys.implementation.name == "cpython", "other Pythons may copy a text that grows")
    def test_an_append_copies_no_long_text(self) -> None:
        value = apply(NO_VALUE, [["r", {"list": [{"t": "\U0001f98a" * 1_000_000}]}]])
        batch = [["a", ["list", 0, "t"], "more"]]
        # From 3.11 on CPython specialises the code that lengthens in place when it has run some times.
        for _ in range(WARM_UP):
            apply(value, batch)
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        # The text is traced from when it is first moved, which the first append after that may do.
        apply(value, batch)
        tracemalloc.reset_peak()
        held, _ = tracemalloc.get_traced_memory()

        apply(value, batch)

        _, peak = tracemalloc.get_traced_memory()
        self.assertLess(peak - held, 1_000_000)
        self.assertEqual("more" * (WARM_UP + 2), value["list"][0]["t"][1_000_000:])

    def test_zero_has_no_sign(self) -> None:
        self.assertEqual("[0, 0]", str(apply([], [["p", [], 0, 0, [-0.0]], ["s", [1], 0.0]])))

    def test_the_message_names_op_reason_and_place(self) -> None:
        with self.assertRaisesRegex(DeltaError, r'^op 1: missing_target: needs a string \(at \["l",3\]\)$'):
            apply({"l": [""]}, [["a", ["l", 0], "x"], ["a", ["l", 3], "x"]])
