import { expect, test } from "vitest";
import { WordTable } from "./word-table.js";

const read = (table: WordTable, word: string): string => table.read(Buffer.from(`"${word}"`), 1, word.length + 1);

test("[S5] words whose hashes are the same are told apart", () => {
  const table = new WordTable();

  // 31 × "A" + "a" is 31 × "B" + "B".
  expect(["Aa", "BB", "Aa", "AaAa", "BBBB", ""].map((word) => read(table, word))).toEqual([
    "Aa",
    "BB",
    "Aa",
    "AaAa",
    "BBBB",
    "",
  ]);
});

test("[S5] a table that is full still reads every word", () => {
  const table = new WordTable();
  const words = Array.from({ length: 3_000 }, (_, place) => `op_${place}`);

  expect([...words, ...words].map((word) => read(table, word))).toEqual([...words, ...words]);
});
