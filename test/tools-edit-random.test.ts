import { expect, test } from "vitest";
import { createEditTool } from "../src/tools/index.js";
import { runTool } from "../src/tools/fixtures/run-tool.js";
import { createRandom } from "./support/random.js";
import { plantFiles, readPlanted, inProcess, useToolEnv } from "./support/tool-envs.js";

const SEED = Number(process.env["SPILLWAY_SEED"] ?? Date.now() % 1_000_000);
const CALLS = process.env["CI"] === "true" ? 2_000 : 60;

const stage = useToolEnv(inProcess);
interface AskedEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

type Modelled = { readonly content: string } | { readonly code: string };

/** What a call is to do, by searching at every place of the text: slow, and plain to see. Line ends are LF throughout. */
function modelEdits(text: string, edits: readonly AskedEdit[]): Modelled {
  const found: { readonly from: number; readonly to: number; readonly by: string }[] = [];
  for (const { oldText, newText, replaceAll = false } of edits) {
    const starts = Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(oldText, at));
    if (starts.length === 0) return { code: "text_not_found" };
    if (!replaceAll && starts.length > 1) return { code: "text_not_unique" };
    let end = 0;
    for (const from of starts) {
      if (from < end) continue;
      end = from + oldText.length;
      found.push({ from, to: end, by: newText });
    }
  }
  const ordered = found.toSorted((a, b) => a.from - b.from || a.to - b.to);
  if (ordered.some(({ from }, index) => from < (ordered[index - 1]?.to ?? 0))) return { code: "edits_overlap" };
  let content = "";
  let at = 0;
  for (const { from, to, by } of ordered) {
    content += text.slice(at, from) + by;
    at = to;
  }
  content += text.slice(at);
  return content === text ? { code: "nothing_changed" } : { content };
}

/** Few letters, so that texts repeat and touch each other. */
const LETTERS = ["a", "b", "ab", "\n", "\n", "é", "😀", " ", "\t"];

test(`[T8] an edit does what a plain model of it does, or nothing and says why (seed ${SEED})`, async () => {
  const { env } = stage;
  const random = createRandom(SEED);
  const text = (most: number): string =>
    Array.from({ length: Math.floor(random() * most) }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join("");
  const tool = createEditTool();
  const outcomes = new Map<string, number>();
  for (let call = 0; call < CALLS; call += 1) {
    const before = text(30) || "a";
    const edits = Array.from({ length: 1 + Math.floor(random() * 3) }, (): AskedEdit => {
      const characters = Array.from(before);
      const from = Math.floor(random() * characters.length);
      const part = characters.slice(from, from + 1 + Math.floor(random() * 6)).join("");
      return {
        oldText: random() < 0.85 ? part : text(5) || "b",
        newText: random() < 0.1 ? part : text(6),
        ...(random() < 0.3 && { replaceAll: true }),
      };
    });
    const isReturned = random() < 0.3;
    const onDisk = (lines: string): string => (isReturned ? lines.replaceAll("\n", "\r\n") : lines);
    await plantFiles(env, { f: onDisk(before) });

    const { error } = await runTool(tool, env, { path: "f", edits: edits.map((edit) => ({ ...edit })) });

    const modelled = modelEdits(before, edits);
    const code = (error as { code?: string } | undefined)?.code;
    const after = Buffer.from(await readPlanted(env, "f"), "latin1").toString();
    // A file that had no line end has none to go by: it takes the text as it comes.
    const expected = "code" in modelled ? before : modelled.content;
    const isPlain = !before.includes("\n");
    expect([before, edits, code ?? null, after]).toEqual([
      before,
      edits,
      "code" in modelled ? modelled.code : null,
      isPlain ? expected : onDisk(expected),
    ]);
    const outcome = code ?? "changed";
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  for (const outcome of ["changed", "text_not_found", "text_not_unique", "edits_overlap"]) {
    expect([outcome, outcomes.get(outcome) ?? 0]).toEqual([outcome, expect.toSatisfy((count) => Number(count) > 0)]);
  }
});
