import { expect, test } from "vitest";
import { answer, call, chat } from "./fixtures/chat.js";
import { PieceReader } from "./pieces.js";
import type { Piece } from "./pieces.js";

const words = (pieces: readonly Piece[]): string[] =>
  pieces.map((piece) => ("text" in piece ? `${piece.kind}: ${piece.text}` : `${piece.kind}: ${piece.row.toolCallId}`));

test("[R33] an answer comes line by line, each once, and what is unfinished is pending", () => {
  const reader = new PieceReader(undefined);

  expect(words(reader.next(chat(answer("one\ntw"))))).toEqual(["answer: one\n"]);
  expect(reader.pending(chat(answer("one\ntw")))).toEqual({ kind: "answer", text: "tw" });
  expect(words(reader.next(chat(answer("one\ntwo"))))).toEqual([]);
  expect(words(reader.next(chat(answer("one\ntwo", 0))))).toEqual(["answer: two\n"]);
  expect(words(reader.next(chat(answer("one\ntwo", 0))))).toEqual([]);
});

test("[R33] calls are told in the order in which they began, though they end in another", () => {
  const reader = new PieceReader(undefined);

  expect(words(reader.next(chat(call("a"), call("b", 0))))).toEqual([]);
  expect(words(reader.next(chat(call("a", 1), call("b", 0), answer("so"))))).toEqual(["call: a", "call: b"]);
});

test("[R33] an answer that the model begins anew is told as that", () => {
  const reader = new PieceReader(undefined);
  reader.next(chat(answer("first\nhalf")));

  expect(words(reader.next(chat(answer("second\n"))))).toEqual([
    "remark: [the model begins its answer anew]\n",
    "answer: second\n",
  ]);
});

test("[R33] a question is told at once and once; what nobody holds any more is counted", () => {
  const reader = new PieceReader(chat(answer("before", 0)));
  const asked = { ...call("b"), pendingApproval: { at: 1 } };

  expect(words(reader.next(chat(answer("before", 0), call("a"), asked)))).toEqual(["question: b"]);
  expect(words(reader.next({ ...chat(asked), earlier: 3 }))).toEqual(["remark: [… 2 items not shown]\n"]);
});
