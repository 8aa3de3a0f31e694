const FOX = "\u{1F98A}";
const high = FOX.charAt(0);
const low = FOX.charAt(1);

const onText = (name, before, batch, after) => ({ name, before: { t: before }, batch, after: { t: after } });
const drop = (count) => ["t", ["t"], count];
const append = (more) => ["a", ["t"], more];

/** Counts of text are UTF-16 code units; halves of characters are text like any other. */
export const text = [
  onText("a letter of two bytes is one unit", "éa", [drop(1)], "a"),
  onText("a letter of three bytes is one unit", "日本", [drop(1)], "本"),
  onText("a combining mark is a unit of its own", "e\u0301x", [drop(1)], "\u0301x"),
  onText("a character beyond U+FFFF is two units", `${FOX}a`, [drop(2)], "a"),
  onText("units are counted over a mix", `a${FOX}é${FOX}z`, [drop(4)], `${FOX}z`),
  onText("a family of joined characters is eight units and more", "👩‍👩‍👧x", [drop(8)], "x"),
  onText("characters after the cut do not count", `ab${FOX.repeat(50)}`, [drop(2)], FOX.repeat(50)),
  onText("characters before the cut all count", `${FOX.repeat(50)}ab`, [drop(101)], "b"),
  onText("all is dropped", FOX.repeat(3), [drop(6)], ""),
  onText(
    "the window of a log with emoji slides",
    `${FOX} 1\n${FOX} 2\n`,
    [drop(5), append("\u2713 3\n")],
    `${FOX} 2\n\u2713 3\n`,
  ),
  onText("characters are appended", FOX, [append(FOX)], FOX + FOX),
  onText("a cut inside a character leaves its half", `${FOX}a`, [drop(1)], `${low}a`),
  onText("a cut inside the last character leaves its half", `a${FOX}`, [drop(2)], low),
  onText("a cut inside one of many leaves its half", `x${FOX}${FOX}${FOX}`, [drop(4)], low + FOX),
  onText("the half that was left goes next", `${FOX}a`, [drop(1), drop(1)], "a"),
  onText("halves of two ops become one character", "a", [append(high), append(low)], `a${FOX}`),
  onText("a half joins the half before it", `a${high}`, [append(`${low}b`)], `a${FOX}b`),
  onText("a joined character is two units", high, [append(low), drop(1)], low),
  onText("halves in the wrong order stay two", low, [append(high)], low + high),
  onText("a half that stands alone is one unit", `${high}a${low}b`, [drop(3)], "b"),
  onText("a half before a character is none of its halves", high, [append(FOX), drop(1)], FOX),
  onText("nothing is appended between halves", high, [append(""), append(low)], FOX),
  onText("halves meet after a drop", `${FOX}${high}`, [drop(2), append(low)], FOX),
  onText("an op sets a half", "", [["s", ["t"], high], append(low)], FOX),
  {
    name: "halves in keys stay what they are",
    before: { [high]: 1 },
    batch: [
      ["s", [low], 2],
      ["d", [high]],
    ],
    after: { [low]: 2 },
  },
  onText(
    "no text is made normal",
    "",
    [append("e\u0301"), append("\u00e9"), append("\ufeff\u0000\u2028\u0085")],
    "e\u0301\u00e9\ufeff\u0000\u2028\u0085",
  ),
  {
    name: "a count beyond the code units is refused, though the bytes were enough",
    before: { t: `é${FOX}` },
    batch: [drop(4)],
    error: { code: "out_of_range", index: 0 },
  },
  {
    name: "a drop that succeeded is undone, halves and all",
    before: { t: `${FOX}a`, n: 0 },
    batch: [drop(1), append(high), append(low), ["a", ["n"], "x"]],
    error: { code: "wrong_target", index: 3 },
  },
];
