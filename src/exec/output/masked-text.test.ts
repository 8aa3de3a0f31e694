import fc from "fast-check";
import { expect, test } from "vitest";
import { startCapture } from "./fixtures/captured.js";
import { SECRET_MARK } from "./secret-mask.js";
import { MAX_PROGRESS_BYTES } from "./view.js";
import type { ShellOutputView } from "./view.js";

const runs = process.env["CI"] === "true" ? 4_000 : 300;
const KEY = "sk-ant-SECRET123456789";
const PEM = "-----BEGIN-----\nMIIEv0123456789\n-----END-----";

async function show(raw: string | Uint8Array, secrets: readonly string[] = [KEY]): Promise<string> {
  const captured = startCapture({ secrets });
  captured.print(raw);
  await captured.settle();
  return captured.view.text;
}

test.each([
  ["a colour", "sk-ant-\u001b[01;31m\u001b[KSECRET\u001b[m\u001b[K123456789"],
  ["a short sequence", "sk-ant-SECRET\u001b[m123456789"],
  ["a title", "sk-ant-SECRET\u001b]0;title\u0007123456789"],
  ["a NUL", "sk-ant-SEC\u0000RET123456789"],
  ["a control of two bytes", "sk-ant-SEC\u0085RET123456789"],
  ["a backspace", "sk-ant-SECRET12345678\u00089"],
])("[X15] a secret that %s stands in is masked in the text", async (_what, printed) => {
  expect(await show(`key=${printed};\n`)).toBe(`key=${SECRET_MARK};\n`);
});

test("[X15] a secret of two lines is masked with any line ends, and lines keep their numbers", async () => {
  const secrets = ["first-half\nsecond-half"];

  expect(await show("a first-half\r\nsecond-half z\r\nend\r\n", secrets)).toBe(`a ${SECRET_MARK}\n z\nend\n`);
  expect(await show("a\rfirst-half\r\r\nzz\rsecond-half\nend\n", secrets)).toBe(`${SECRET_MARK}\n\nend\n`);
});

test("[X15] a secret that was set with other line ends or control characters is masked as it is shown", async () => {
  expect(await show("x first-half\nsecond-half\n", ["first-half\r\nsecond-half"])).toBe(`x ${SECRET_MARK}\n\n`);
  expect(await show("x ab\u001b[mcdefgh\n", ["ab\u0001cdefgh"])).toBe(`x ${SECRET_MARK}\n`);
  expect(await show("x ab\u001b[m\n", ["ab\u0001"])).toBe("x ab\n");
});

test("[X15] a secret that only the mark of a broken character makes is masked", async () => {
  const raw = Buffer.concat([Buffer.from("k=pass"), Buffer.from([0xff]), Buffer.from("word\n")]);

  expect(await show(raw, ["pass\uFFFDword"])).toBe(`k=${SECRET_MARK}\n`);
});

test("[X15] a secret of which each pipe prints a half is masked where the halves meet", async () => {
  const captured = startCapture({ secrets: [KEY] });
  captured.print("key=sk-ant-\u0000", 0);
  captured.print("SECRET123456789\n", 1);
  await captured.settle();

  expect(captured.view.text).toBe(`key=${SECRET_MARK}\n`);
});

test("[X15] the line that is not ended yet is masked, and no longer than such a line may be", () => {
  const captured = startCapture({ secrets: [KEY, "abc"] });
  captured.print("key: sk-ant-SEC\u0000RET123456789 ");
  expect(captured.view.progress).toBe(`key: ${SECRET_MARK} `);

  captured.print("a\u0000bc".repeat(1_300));
  captured.clock.advance(1_000);
  expect(captured.view.progress?.length).toBeGreaterThan(MAX_PROGRESS_BYTES - 10);
  expect(captured.view.progress?.length).toBeLessThanOrEqual(MAX_PROGRESS_BYTES);
});

test("[X15] the end of an unfinished line is held back while it could be the beginning of a secret", async () => {
  const captured = startCapture({ secrets: [KEY, "9-another-secret"] });
  captured.print("sk-ant-SEC\u0000RET123456789");
  expect(captured.view.progress).toBeUndefined();
  captured.print(";");
  captured.clock.advance(1_000);
  expect(captured.view.progress).toBe(`${SECRET_MARK};`);
  captured.print(" sk-\u0000ant");
  captured.clock.advance(1_000);
  expect(captured.view.progress).toBe(`${SECRET_MARK}; `);
  await captured.settle();

  expect(captured.view.text).toBe(`${SECRET_MARK}; sk-ant`);
});

test("[X15] a long line that is taken back does not let the lines around it make a secret", async () => {
  const captured = startCapture({ secrets: ["first-half\nsecond-half"] });
  captured.print("first-half\n");
  captured.print("w".repeat(MAX_PROGRESS_BYTES + 1));
  captured.clock.advance(1_000);
  captured.print("\rsecond-half\n");
  await captured.settle();

  expect(captured.view.text).toBe(`first-half\n${SECRET_MARK}second-half\n`);
});

test("[X15] what is held back is shown at the end, and a line that is taken back is not", async () => {
  expect(await show(`${"w".repeat(5_000)}sk-ant-\u001b[mSEC`)).toMatch(/^w{5000}sk-ant-SEC$/);
  expect(await show(`${"w".repeat(5_000)}sk-ant-\u001b[m\rdone\n`)).toBe("done\n");
  expect(await show("--\r\nsec\rdone\n", ["--\nsecret-"])).toBe("--\ndone\n");
});

test("[X15] a flood of secrets leaves a text that is told as cut, whatever little of it the marks leave", async () => {
  const captured = startCapture({ secrets: ["s".repeat(2_000)] });
  for (let index = 0; index < 400; index += 1) captured.print(`${"s".repeat(1_000)}\u0000${"s".repeat(1_000)}\n`);
  const { truncation } = await captured.settle();

  expect(captured.view.text).toMatch(/^(\[secret\]\n)+$/);
  expect(truncation).toMatchObject({ truncated: true, totalLines: 400, totalBytes: 400 * 2_002 });
});

test("[X15] whatever is printed, in whatever reads, no secret is ever shown", async () => {
  let masked = 0;
  const kept: [(readonly [text: string, pipe: 0 | 1])[], number[], number, "tail" | "head" | "both"][] = [
    [[["sk-ant-\u001b[mSECRET123456789", 0]], [1], 400, "tail"],
    [
      [
        [PEM.replaceAll("\n", "\r\n"), 0],
        ["\r", 0],
        [`-\u0000${PEM.slice(1)}`, 0],
      ],
      [1],
      32,
      "tail",
    ],
    [[["-----BEGIN-----\r\nMIIEv0123456789\r\n-----END-----", 1]], [7], 40, "both"],
  ];
  const property = fc.asyncProperty(
    fc.array(fc.tuple(printed(), fc.constantFrom(0 as const, 0 as const, 1 as const)), { maxLength: 12 }),
    fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 }),
    fc.integer({ min: 20, max: 9_000 }),
    fc.constantFrom("tail" as const, "head" as const, "both" as const),
    async (pieces, cuts, maxBytes, retain) => {
      const captured = startCapture({ secrets: [KEY, PEM], limits: { maxBytes, retain } });
      for (const [text, pipe] of pieces) {
        for (const chunk of chunksOf(Buffer.from(text, "latin1"), cuts)) {
          captured.print(chunk, pipe);
          captured.clock.advance(70);
          check(captured.view);
        }
      }
      await captured.settle();
      check(captured.view);
      masked += captured.view.text.includes(SECRET_MARK) ? 1 : 0;
    },
  );
  await fc.assert(property, { numRuns: runs, examples: kept });

  expect(masked).toBeGreaterThan(runs / 5);
});

test("[X15] but for the marks, the text is that of a capture without secrets", async () => {
  const property = fc.asyncProperty(
    fc.array(printed(), { maxLength: 12 }),
    fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 }),
    async (pieces, cuts) => {
      const raw = Buffer.from(pieces.join("").replaceAll("\r", ""), "latin1");
      const [plain, masked] = [startCapture(), startCapture({ secrets: [KEY, PEM] })];
      for (const chunk of chunksOf(raw, cuts)) for (const captured of [plain, masked]) captured.print(chunk);
      const [{ truncation }] = await Promise.all([masked.settle(), plain.settle()]);

      expect(plain.view.text.replaceAll(PEM, `${SECRET_MARK}\n\n`).replaceAll(KEY, SECRET_MARK)).toBe(masked.view.text);
      expect(truncation.totalBytes).toBe(raw.length);
    },
  );
  await fc.assert(property, { numRuns: runs });
});

/** Where text is left out, what stands before the gap and after it are not read as one. */
function check({ text, tail, progress = "", truncation }: ShellOutputView): void {
  const joined = tail !== undefined ? tail + progress : truncation.truncated ? "" : text + progress;
  for (const shown of [text, progress, joined]) {
    expect(shown).not.toContain(KEY);
    expect(shown).not.toContain(PEM);
  }
}

/** One character for each byte. */
function printed(): fc.Arbitrary<string> {
  const noise = [
    "\u0000",
    "\u001b[m",
    "\u001b[01;31m",
    "\u001b]0;t\u0007",
    "\u001b]0;t\u001b\\",
    "\u0007",
    "\u00c2\u0085",
  ];
  const line = [
    "w".repeat(4_200),
    "\r",
    "\r\n",
    "\n",
    "x",
    "\u00ff",
    "\u00c3\u00a9",
    KEY.slice(0, 9),
    KEY.slice(9),
    "-----BEGIN-----\n",
  ];
  return fc.oneof(
    fc.constantFrom(...line, ...noise),
    fc
      .tuple(
        fc.constantFrom(KEY, PEM),
        fc.array(fc.tuple(fc.nat(50), fc.constantFrom(...noise)), { maxLength: 4 }),
        fc.boolean(),
      )
      .map(([secret, inserted, hasReturns]) => {
        const whole = inserted.reduce<string>((text, [at, what]) => text.slice(0, at) + what + text.slice(at), secret);
        return hasReturns ? whole.replaceAll("\n", "\r\n") : whole;
      }),
  );
}

function* chunksOf(bytes: Buffer, cuts: readonly number[]): Generator<Buffer> {
  for (let from = 0, index = 0; from < bytes.length; index += 1) {
    const size = (cuts[index % cuts.length] ?? 1) * (bytes.length > 1_000 ? 40 : 1);
    yield bytes.subarray(from, from + size);
    from += size;
  }
}
