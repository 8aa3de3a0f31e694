"""``Decoder``, ``Consumer`` and ``EventParser`` against the shared cases."""

from __future__ import annotations

import unittest
from typing import Any, Dict, List

from spillway import NO_VALUE, Consumer, Decoder, DeltaError, Event, EventParser, StreamError, apply

from .vectors import canonical, read_cases, read_folder


class SharedStreams(unittest.TestCase):
    def test_every_stream_decodes_and_folds_as_it_says(self) -> None:
        files = read_folder("streams")
        self.assertGreater(sum(map(len, files.values())), 100)
        for file, cases in files.items():
            for case in cases:
                with self.subTest(f"{file}: {case['name']}"):
                    self._check(case["steps"])

    def _check(self, steps: List[Dict[str, Any]]) -> None:
        decoder, value = Decoder(), NO_VALUE
        for step in steps:
            if "error" in step:
                with self.assertRaises(DeltaError) as caught:
                    decoder.decode(step["wire"])
                self.assertEqual(step["error"].get("index"), caught.exception.index)
                self.assertEqual(step["error"]["code"], caught.exception.code)
                continue
            batch = decoder.decode(step["wire"])
            self.assertEqual(canonical(step["batch"]), canonical(batch))
            value = apply(value, batch)
            if "after" in step:
                self.assertEqual(canonical(step["after"]), canonical(value))


class SharedMessages(unittest.TestCase):
    def test_every_consumer_ends_as_it_says(self) -> None:
        cases = read_cases("consumer/messages")
        self.assertGreater(len(cases), 20)
        for case in cases:
            with self.subTest(case["name"]):
                self._check(case["steps"])

    def _check(self, steps: List[Dict[str, Any]]) -> None:
        consumer = Consumer()
        for step in steps:
            if step.get("restart"):
                consumer.restart()
                continue
            before = consumer.counters.applied
            change = consumer.receive(step["message"])
            self.assertEqual(change is not None, consumer.counters.applied > before)
            self.assertEqual(canonical(step.get("value")), canonical(None if consumer.value is NO_VALUE else consumer.value))
            self.assertEqual((step.get("seq"), step["needsBase"]), (consumer.seq, consumer.needs_base))
            if "error" in step:
                self.assertIsNotNone(consumer.error)
                self.assertEqual(step["error"], consumer.error.code if consumer.error else None)


class SharedEvents(unittest.TestCase):
    def test_every_stream_has_the_events_that_it_says_however_it_is_cut(self) -> None:
        cases = read_cases("consumer/events")
        self.assertGreater(len(cases), 10)
        for case in cases:
            raw = case["stream"].encode("utf-8")
            expected = [Event(event["type"], event["data"]) for event in case["events"]]
            for width in (1, 2, 3, 7, max(1, len(raw))):
                with self.subTest(case["name"], width=width):
                    parser = EventParser()
                    pieces = [raw[at : at + width] for at in range(0, len(raw), width)]
                    self.assertEqual(expected, [event for piece in pieces for event in parser.push(piece)])

    def test_an_event_beyond_the_limit_is_refused_before_more_is_held(self) -> None:
        for piece in (b"x" * 1_000, b"data: x\n" * 100):
            parser = EventParser(max_frame_bytes=10_000)
            with self.assertRaises(StreamError) as caught:
                for _ in range(100):
                    list(parser.push(piece))
            self.assertEqual("frame_too_large", caught.exception.code)
