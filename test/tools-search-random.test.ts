import { expect, test } from "vitest";
import { getOrThrow } from "../src/exec/index.js";
import type { Json } from "../src/protocol/index.js";
import { createFindTool, createGrepTool } from "../src/tools/index.js";
import { runTool } from "../src/tools/fixtures/run-tool.js";
import { SearchPrograms } from "../src/tools/search/programs.js";
import { createRandom } from "./support/random.js";
import { plantFiles, shownBy, inProcess, useToolEnv } from "./support/tool-envs.js";
import type { PlantedFile } from "./support/tool-envs.js";

const SEED = Number(process.env["SPILLWAY_SEED"] ?? Date.now() % 1_000_000);
const TREES = process.env["CI"] === "true" ? 20 : 1;

type Random = () => number;

const stage = useToolEnv(inProcess);
const pick = <T>(random: Random, choices: readonly T[]): T => {
  const chosen = choices[Math.floor(random() * choices.length)];
  if (chosen === undefined) throw new Error("there is nothing to choose from");
  return chosen;
};
const repeat = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, make);

const NAMES = ["a", "b", "ab", "a.ts", "b.log", "c d", "é", "😀x", "-n", "x[1]", "~", "\u001b[31m", "#h", "!k", "q\\"];
const GIT_NAMES = [...NAMES, "a\nb"];
const RULE_PARTS = ["a", "b", "*", "?", "**", "[ab]", "[!a]", ".log", "\\*", "x", " ", "[a-c]", "\\ "];
/** What git and ripgrep do not take alike. */
const GIT_RULE_PARTS = [...RULE_PARTS, "é", "[[:alpha:]]", "***"];

function randomPath(random: Random, names: readonly string[] = NAMES): string {
  return repeat(random, 4, () => pick(random, names)).join("/");
}

function randomRule(random: Random, isForGit: boolean): string {
  const part = (): string => {
    const joined = repeat(random, 3, () => pick(random, isForGit ? GIT_RULE_PARTS : RULE_PARTS)).join("");
    return isForGit ? joined : joined.replaceAll(/\*{3,}/g, "*");
  };
  const body = repeat(random, 3, () => (random() < 0.2 ? "**" : part())).join("/");
  const plain = random() < 0.3 ? randomPath(random).replaceAll("\n", "?") : body;
  return `${random() < 0.25 ? "!" : ""}${random() < 0.2 ? "/" : ""}${plain}${random() < 0.25 ? "/" : ""}${random() < 0.1 ? "  " : ""}`;
}

function randomRules(random: Random, isForGit: boolean): string {
  return repeat(random, 5, () => (random() < 0.1 ? "# said" : randomRule(random, isForGit))).join(
    random() < 0.2 ? "\r\n" : "\n",
  );
}

const LINE_PARTS = [
  "foo",
  "bar",
  "foo_1",
  "é",
  "😀",
  "\t",
  " ",
  "x".repeat(300),
  "[x]",
  "&&",
  "\u001b[0m",
  "\u2028",
  "7",
  "K",
  "ſ",
  "\u212a",
];

function randomContent(random: Random): string | Buffer {
  const lines = repeat(random, 8, () => repeat(random, 5, () => pick(random, LINE_PARTS)).join(""));
  const text = lines.join(random() < 0.3 ? "\r\n" : "\n") + (random() < 0.5 ? "\n" : "");
  if (random() < 0.1) return "";
  if (random() < 0.1) return `\ufeff${text}`;
  if (random() < 0.1)
    return Buffer.concat([Buffer.from(text), Buffer.alloc(1 + Math.floor(random() * 3)), Buffer.from(text)]);
  if (random() < 0.05) return Buffer.concat([Buffer.from(text.repeat(50).slice(0, 20_000)), Buffer.from([0])]);
  return text;
}

/** Files whose paths do not stand in each other's way, with rules here and there. */
function randomTree(random: Random, isForGit = false): Record<string, PlantedFile> {
  const tree: Record<string, PlantedFile> = {};
  const isFree = (path: string): boolean =>
    Object.keys(tree).every(
      (other) => other !== path && !other.startsWith(`${path}/`) && !path.startsWith(`${other}/`),
    );
  for (let count = 5 + Math.floor(random() * 30); count > 0; count -= 1) {
    const path = randomPath(random, isForGit ? GIT_NAMES : NAMES);
    if (isFree(path))
      tree[path] = random() < 0.1 ? { linkTo: pick(random, [".", "nowhere", "a"]) } : randomContent(random);
  }
  const folders = Object.keys(tree).map((path) => path.slice(0, path.lastIndexOf("/") + 1));
  for (const folder of new Set(["", ...folders])) {
    const path = `${folder}.gitignore`;
    if ((folder === "" || random() < 0.3) && isFree(path)) tree[path] = randomRules(random, isForGit);
  }
  return tree;
}

const PATTERNS = [
  "foo",
  "FOO",
  "\\bfoo\\b",
  "^",
  "$",
  "é$",
  "\\d",
  "[^a]x",
  "x{3,}",
  "(foo|bar)+",
  "\\s",
  "\\w\\W",
  "\\Q[x]\\E",
  "[[&~]",
  "\\r",
  "\\t",
  "k",
  "(?i)K",
  "^foo",
  ".",
  "[é😀]",
  "a*",
  "\\x{1F600}",
  "\\pL",
  "s",
  "\\x1b",
];
const GLOBS = [
  "*.ts",
  "*.{ts,log}",
  "a/**",
  "**/a/*",
  "[ab]*",
  "*",
  "**",
  "!(a)",
  "é*",
  "/a",
  "a/",
  "?",
  "*\\*",
  "**/*.ts",
];

function randomGrep(random: Random): Record<string, Json> {
  const optional = (name: string, part: number, value: () => Json): Record<string, Json> =>
    random() < part ? { [name]: value() } : {};
  return {
    pattern: pick(random, PATTERNS),
    ...optional("glob", 0.4, () => pick(random, GLOBS)),
    ...optional("ignoreCase", 0.3, () => true),
    ...optional("literal", 0.2, () => true),
    ...optional("context", 0.4, () => Math.floor(random() * 3)),
    ...optional("limit", 0.3, () => 1 + Math.floor(random() * 6)),
    ...optional("path", 0.2, () => pick(random, ["a", "b", "ab"])),
  };
}

function randomFind(random: Random): Record<string, Json> {
  return {
    pattern: pick(random, GLOBS),
    ...(random() < 0.5 && { type: pick(random, ["file", "folder", "any"]) }),
    ...(random() < 0.3 && { limit: 1 + Math.floor(random() * 6) }),
    ...(random() < 0.2 && { path: pick(random, ["a", "b", "ab"]) }),
  };
}

interface PastFind {
  readonly tree: Record<string, PlantedFile>;
  readonly greps: readonly Record<string, Json>[];
  readonly finds: readonly Record<string, Json>[];
}

/** Trees in which a search of our own once gave something else than the programs; they run first. */
const PAST_FINDS: readonly PastFind[] = [
  // A line with two carriage returns before its newline, and a file that the search names itself.
  {
    tree: { ".git/HEAD": "ref: x\n", a: "foo\r\r\nbar\r\nfoo" },
    greps: [{ pattern: "foo" }, { pattern: "\\r" }, { pattern: "foo", path: "a" }, { pattern: "\\w", context: 2 }],
    finds: [],
  },
  // A file that is ignored, and named.
  {
    tree: { ".git/HEAD": "ref: x\n", ".gitignore": "b.log\n", "b.log": "foo\n", "c/b.log": "foo\n" },
    greps: [{ pattern: "foo" }, { pattern: "foo", path: "b.log" }, { pattern: "foo", path: "c" }],
    finds: [{ pattern: "*.log" }, { pattern: "**", path: "c" }],
  },
];

/** Rules by bytes, as git has them: a question mark is a half of é. */
const PAST_GIT_TREES: readonly Record<string, PlantedFile>[] = [
  { ".gitignore": "?\n", a: "x", é: "x" },
  { ".gitignore": "??\n", ab: "x", é: "x" },
  { ".gitignore": "[é]\n!a/é\n", é: "x", "a/é": "x" },
  { ".gitignore": "a\\ \nb  \n", "a ": "x", b: "x" },
];

test(
  `[T8] grep and find give the same with the env's programs and without, in any tree (seed ${SEED})`,
  { timeout: 600_000 },
  async (context) => {
    const { env } = stage;
    const random = createRandom(SEED);
    const programs = new SearchPrograms();
    const { hasRipgrep, fd } = await programs.find(env, { signal: new AbortController().signal });
    if (!hasRipgrep || fd === undefined) context.skip("this machine has no ripgrep or no fd");
    let lines = 0;
    const made = (): PastFind => ({
      tree: { ".git/HEAD": "ref: x\n", ...randomTree(random) },
      greps: Array.from({ length: 6 }, () => randomGrep(random)),
      finds: Array.from({ length: 4 }, () => randomFind(random)),
    });
    for (let count = 0; count < PAST_FINDS.length + TREES; count += 1) {
      getOrThrow(await env.exec("rm -rf ./* ./.[!.]*", {}));
      const { tree, greps, finds } = PAST_FINDS[count] ?? made();
      await plantFiles(env, tree);
      for (const params of greps) {
        const by = await runTool(createGrepTool({ programs }), env, params);
        const own = await runTool(createGrepTool({ programs: "none" }), env, params);
        lines += by.text().split("\n").length - 1;
        expect([tree, params, shownBy(own)]).toEqual([tree, params, shownBy(by)]);
      }
      for (const params of finds) {
        const by = await runTool(createFindTool({ programs }), env, params);
        const own = await runTool(createFindTool({ programs: "none" }), env, params);
        lines += by.text().split("\n").length - 1;
        expect([tree, params, shownBy(own)]).toEqual([tree, params, shownBy(by)]);
      }
    }
    expect(lines).toBeGreaterThan(TREES);
  },
);

test(`[T8] what is ignored is what git ignores (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const { env } = stage;
  const random = createRandom(SEED);
  let ignored = 0;
  for (let count = 0; count < PAST_GIT_TREES.length + TREES * 3; count += 1) {
    getOrThrow(await env.exec("rm -rf ./* ./.[!.]*; git init -q .", {}));
    const tree = PAST_GIT_TREES[count] ?? randomTree(random, true);
    await plantFiles(env, tree);

    const own = await runTool(createFindTool({ programs: "none" }), env, { pattern: "**", type: "file" });

    getOrThrow(await env.exec("git ls-files --cached --others --exclude-standard -z > .git/listed", {}));
    const { bytes } = getOrThrow(await env.files.read(".git/listed"));
    const listed = Buffer.from(bytes)
      .toString()
      .split("\0")
      .filter((path) => path !== "" && !isLink(tree[path]));
    const found = own
      .text()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (line.startsWith('"') ? (JSON.parse(line) as string) : line));
    ignored += Object.keys(tree).length - listed.length;
    const rules = Object.entries(tree).filter(([path]) => path.endsWith(".gitignore"));
    expect([rules, subtract(found, listed), subtract(listed, found)]).toEqual([rules, [], []]);
  }
  expect(ignored).toBeGreaterThan(TREES);
});

function subtract(from: readonly string[], taken: readonly string[]): string[] {
  return from.filter((one) => !taken.includes(one));
}

function isLink(file: PlantedFile | undefined): boolean {
  return typeof file === "object" && "linkTo" in file;
}
