import { expect, test } from "vitest";
import { listFiles, readText } from "./support/files.js";
import { findRuleViolations } from "./support/rules.js";
import { plannedRules } from "./support/planned-rules.js";

const read = (path: string): { path: string; text: string } => ({ path, text: readText(path) });

test("every rule of spec/ is quoted by a test title, and every quoted id is a rule", () => {
  const specs = listFiles("spec", ".md").map(read);
  const tests = [...listFiles("src", ".test.ts"), ...listFiles("src/testing", ".ts"), ...listFiles("test", ".test.ts")]
    .filter((path) => path !== "test/rules.test.ts")
    .map(read);

  expect(findRuleViolations(specs, tests, plannedRules)).toEqual([]);
});

test("a rule without a test, one that is defined twice, an unknown id and a stale plan are found", () => {
  const specs = [
    { path: "spec/a.md", text: "- **Z1** One.\n- **Z2** Two.\n- **Z3** Three.\n- **Z4** Four.\n- **Z1** Five.\n" },
  ];
  const title = (id: string): string => `test("[${id}] holds", () => {});\n`;
  const tests = [{ path: "src/a.test.ts", text: `${title("Z1")}${title("Z9")}${title("Z4")}` }];

  expect(findRuleViolations(specs, tests, new Set(["Z3", "Z4"]))).toEqual([
    "Z1 is defined twice",
    "Z2 has no test",
    "Z9 is quoted by src/a.test.ts and defined nowhere",
    "Z4 is marked as planned and has a test",
  ]);
});

test("ids in test.each titles and in template titles count", () => {
  const specs = [{ path: "spec/a.md", text: "- **Z1** One.\n- **Z2** Two.\n" }];
  const tests = [{ path: "src/a.test.ts", text: 'test.each(rows)("[Z1] %s", f);\ntest(`[Z2] ${name}`, f);\n' }];

  expect(findRuleViolations(specs, tests, new Set())).toEqual([]);
});
