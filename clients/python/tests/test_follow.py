"""``follow`` over scripted connections and over real ones."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
import unittest
from typing import Callable, Iterator, List, Optional

from spillway import Change, StreamError, find_run, follow, open_stream

BASE = b'event: open\ndata: {"protocol":1,"facet":"f"}\n\ndata: {"seq":4,"ops":[["r",{"t":"a"}]]}\n\n'
MORE = b'id: 5\ndata: {"seq":5,"ops":[["a",["t"],"b"]]}\n\n'
END = b"event: end\ndata: {}\n\n"


class Script:
    """Connections that give what was written down for them, one after the other."""

    def __init__(self, *connections: List[object]) -> None:
        self.left = list(connections)
        self.closed = 0
        self.pauses: List[float] = []
        self.reasons: List[str] = []

    def connect(self) -> Iterator[bytes]:
        try:
            for piece in self.left.pop(0):
                if isinstance(piece, Exception):
                    raise piece
                assert isinstance(piece, bytes)
                yield piece
        finally:
            self.closed += 1

    def follow(self, chance: float = 0.0, seconds_each: float = 0.0) -> List[str]:
        clock = iter(range(1_000))
        return [
            change.value["t"]
            for change in follow(
                self.connect,
                on_wait=lambda error: self.reasons.append(error.code),
                sleep=self.pauses.append,
                chance=lambda: chance,
                clock=lambda: next(clock) * seconds_each,
            )
        ]


class Following(unittest.TestCase):
    def test_changes_come_until_the_end(self) -> None:
        script = Script([BASE, MORE[:9], MORE[9:] + END + b"data: never\n\n"])

        self.assertEqual(["a", "ab"], script.follow())
        self.assertEqual((1, []), (script.closed, script.pauses))

    def test_a_cut_a_silence_and_a_doubt_each_lead_to_a_new_connection(self) -> None:
        gap = MORE.replace(b'"seq":5', b'"seq":6')
        bad = MORE.replace(b'["t"]', b'["gone"]')
        script = Script(
            [BASE], [BASE, StreamError("silent", "")], [BASE, gap], [BASE, bad], [MORE], [b"data: {\n\n"], [BASE, MORE, END]
        )

        self.assertEqual(["a"] * 5 + ["ab"], script.follow())
        self.assertEqual(["cut", "silent", "doubt", "doubt", "doubt", "doubt"], script.reasons)
        self.assertEqual(7, script.closed)

    def test_a_new_connection_begins_with_a_base_though_the_number_would_fit(self) -> None:
        script = Script([BASE], [MORE], [BASE, END])

        self.assertEqual(["a", "a"], script.follow())
        self.assertEqual(["cut", "doubt"], script.reasons)

    def test_json_that_only_python_reads_is_a_doubt(self) -> None:
        for text in (b"NaN", b"Infinity", b"1e400", b"[" * 100_000, b"9" * 5_000):
            script = Script([BASE, b'data: {"seq":5,"ops":[["s",["n"],' + text + b"]]}\n\n"], [BASE, END])
            with self.subTest(text[:9]):
                self.assertEqual(["a", "a"], script.follow())
                self.assertEqual(["doubt"], script.reasons)
        script = Script([BASE, MORE.replace(b"}", b',"novel":NaN}')], [BASE, END])
        self.assertEqual(["a", "a"], script.follow())

    def test_pauses_double_up_to_a_limit_and_half_of_each_is_chance(self) -> None:
        script = Script(*([] for _ in range(8)), [BASE, END])
        script.follow(chance=0.0)
        self.assertEqual([0.1, 0.2, 0.4, 0.8, 1.6, 2.5, 2.5, 2.5], script.pauses)

        script = Script([], [BASE, END])
        script.follow(chance=1.0)
        self.assertEqual([0.2], script.pauses)

    def test_a_connection_that_lasted_starts_the_pauses_over(self) -> None:
        script = Script([], [], [], [BASE, END])
        script.follow(seconds_each=10.0)
        self.assertEqual([0.1, 0.1, 0.1], script.pauses)

    def test_a_later_protocol_and_a_refusal_end_it(self) -> None:
        for hello in (b'{"protocol":3}', b'{"protocol":"1"}', b"{}", b"[]"):
            script = Script([b"event: open\ndata: " + hello + b"\n\n"])
            with self.subTest(hello), self.assertRaises(StreamError) as caught:
                script.follow()
            self.assertEqual("protocol_mismatch", caught.exception.code)
        with self.assertRaises(StreamError):
            Script([StreamError("refused", "")]).follow()

    def test_what_is_left_is_closed(self) -> None:
        script = Script([BASE, MORE])
        changes = follow(script.connect)
        next(changes)
        changes.close()  # type: ignore[attr-defined]

        self.assertEqual(1, script.closed)


class Server:
    """A server that gives each connection the next of its answers."""

    def __init__(self, listener: socket.socket, answers: List[Callable[[socket.socket], None]]) -> None:
        self._listener = listener
        self.heads: List[str] = []
        self._thread = threading.Thread(target=self._serve, args=(answers,), daemon=True)
        self._thread.start()

    def _serve(self, answers: List[Callable[[socket.socket], None]]) -> None:
        for answer in answers:
            connection, _ = self._listener.accept()
            with connection:
                head = b""
                while b"\r\n\r\n" not in head:
                    head += connection.recv(4_096)
                self.heads.append(head.decode())
                answer(connection)

    def close(self) -> None:
        self._listener.close()
        self._thread.join(10)


def stream(*pieces: bytes) -> Callable[[socket.socket], None]:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"

    def answer(connection: socket.socket) -> None:
        for piece in (head, *pieces):
            connection.sendall(piece)

    return answer


def refuse(status: int) -> Callable[[socket.socket], None]:
    return lambda connection: connection.sendall(b"HTTP/1.1 %d No\r\ncontent-length: 2\r\n\r\nno" % status)


class RealConnections(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "s")

    def serve(self, *answers: Callable[[socket.socket], None], unix: bool = True) -> "tuple[Server, str]":
        listener = socket.socket(socket.AF_UNIX if unix else socket.AF_INET)
        listener.bind(self.path if unix else ("127.0.0.1", 0))
        listener.listen()
        server = Server(listener, list(answers))
        self.addCleanup(server.close)
        return server, f"unix:{self.path}" if unix else f"http://127.0.0.1:{listener.getsockname()[1]}"

    def follow(self, address: str, silence_seconds: float = 15.0, reasons: Optional[List[str]] = None) -> List[Change]:
        return list(
            follow(
                lambda: open_stream(address, "/api/x", "secret", silence_seconds=silence_seconds),
                sleep=lambda _: None,
                on_wait=lambda error: (reasons if reasons is not None else []).append(error.code),
            )
        )

    def test_a_stream_over_a_socket_file_and_over_tcp_with_a_token(self) -> None:
        for unix in (True, False):
            server, address = self.serve(stream(BASE + MORE[:20], MORE[20:], END), unix=unix)
            changes = self.follow(address)
            self.assertEqual([4, 5], [change.seq for change in changes])
            self.assertIn("GET /api/x HTTP/1.1\r\n", server.heads[0])
            self.assertIn("Authorization: Bearer secret\r\n", server.heads[0])

    def test_a_connection_that_is_cut_is_made_anew(self) -> None:
        reasons: List[str] = []
        _, address = self.serve(stream(BASE, MORE[:20]), refuse(503), refuse(429), stream(BASE, MORE, END))

        self.assertEqual("ab", self.follow(address, reasons=reasons)[-1].value["t"])
        self.assertEqual(["cut", "unreachable", "unreachable"], reasons)

    def test_silence_is_a_cut(self) -> None:
        reasons: List[str] = []

        def stall(connection: socket.socket) -> None:
            stream(BASE)(connection)
            connection.settimeout(30)
            # Until the other side has given up.
            while connection.recv(1) != b"":
                pass

        _, address = self.serve(stall, stream(BASE, END))
        self.follow(address, silence_seconds=0.2, reasons=reasons)

        self.assertEqual(["silent"], reasons)

    def test_a_refusal_is_final_and_has_its_status(self) -> None:
        _, address = self.serve(refuse(401))
        with self.assertRaises(StreamError) as caught:
            self.follow(address)
        self.assertEqual(("refused", 401), (caught.exception.code, caught.exception.status))

    def test_what_is_no_address_is_refused_in_words(self) -> None:
        with self.assertRaisesRegex(ValueError, "write http://HOST:PORT"):
            list(open_stream("localhost:80", "/", ""))


class Runs(unittest.TestCase):
    def test_a_run_is_found_by_its_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "run"))
            with open(os.path.join(folder, "run", "s_1.json"), "w", encoding="utf-8") as file:
                file.write('{"socket":"/a/b.sock","tokens":{"view":"v","control":"c"}}')
            environ = {"SPILLWAY_HOME": folder}

            run = find_run("s_1", environ)

            self.assertIsNotNone(run)
            assert run is not None
            self.assertEqual(("unix:/a/b.sock", "v"), (run.address, run.token))
            self.assertEqual("/api/sessions/s_1/lanes/main/facets/chat", run.facet_path("chat"))
            self.assertIsNone(find_run("s_2", environ))
            for name in ("../s_1", "s_1/../s_1", "S_1", ""):
                with self.subTest(name), self.assertRaises(ValueError):
                    find_run(name, environ)
