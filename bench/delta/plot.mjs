const WIDTH = 1_020;
const LABELS = 380;
const ROW = 26;
const TOP = 64;
/** Readable on light and on dark ground, and told apart by people who see few colours: by shape too. */
const MARKS = [
  { colour: "#d6453d", shape: "disc" },
  { colour: "#d6453d", shape: "ring" },
  { colour: "#2f7fd1", shape: "disc" },
  { colour: "#8a63d2", shape: "disc" },
  { colour: "#8a63d2", shape: "ring" },
  { colour: "#2e9d5b", shape: "disc" },
  { colour: "#c78500", shape: "disc" },
  { colour: "#808890", shape: "ring" },
];

/**
 * A row for each case, a mark for each subject, on a logarithmic scale of microseconds.
 *
 * @param {readonly string[]} subjects
 * @param {readonly { readonly title: string, readonly values: readonly number[] }[]} rows
 */
export function drawPlot(subjects, rows) {
  const all = rows.flatMap(({ values }) => values);
  const low = Math.floor(Math.log10(Math.min(...all)));
  const high = Math.ceil(Math.log10(Math.max(...all)));
  const x = (/** @type {number} */ value) =>
    LABELS + ((Math.log10(value) - low) / (high - low)) * (WIDTH - LABELS - 48);
  const bottom = TOP + rows.length * ROW;
  const decades = Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 40}" font-family="sans-serif" font-size="12">`,
    "<style>text{fill:#555}line{stroke:#8884}@media(prefers-color-scheme:dark){text{fill:#bbb}}</style>",
    ...subjects.map((subject, index) => legend(subject, index)),
    ...decades.map((value) => gridLine(x(value), bottom, value)),
    ...rows.map(({ title, values }, row) => {
      const y = TOP + (row + 0.5) * ROW;
      // The first subject last, so that it lies on top.
      const marks = values.map((value, index) => mark(x(value), y, index)).reverse();
      return `<text x="${LABELS - 14}" y="${y + 4}" text-anchor="end">${escape(title)}</text>${marks.join("")}`;
    }),
    `<text x="${WIDTH - 24}" y="${bottom + 34}" text-anchor="end">µs from mutation to the folded copy, less is better</text>`,
    "</svg>",
    "",
  ].join("\n");
}

/**
 * @param {string} subject
 * @param {number} index
 */
function legend(subject, index) {
  const x = 24 + (index % 4) * 250;
  const y = 18 + Math.floor(index / 4) * 20;
  return `${mark(x, y, index)}<text x="${x + 12}" y="${y + 4}">${escape(subject)}</text>`;
}

/**
 * @param {number} x
 * @param {number} bottom
 * @param {number} value
 */
function gridLine(x, bottom, value) {
  const label = `<text x="${x.toFixed(1)}" y="${bottom + 16}" text-anchor="middle">${value.toLocaleString("en-US")}</text>`;
  return `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${TOP - 6}" y2="${bottom}"/>${label}`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} index
 */
function mark(x, y, index) {
  const { colour, shape } = MARKS[index] ?? { colour: "#808890", shape: "disc" };
  const paint = shape === "ring" ? `fill="none" stroke="${colour}" stroke-width="2"` : `fill="${colour}"`;
  return `<circle cx="${x.toFixed(1)}" cy="${y}" r="${shape === "ring" ? 4 : 5}" ${paint}/>`;
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
