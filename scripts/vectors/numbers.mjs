const onText = (name, batchText, after) => ({
  name,
  before: { t: "abcdef", l: [1, 2] },
  batchText,
  after: { t: "abcdef", l: [1, 2], ...after },
});
const refused = (name, batchText, code) => ({
  name,
  before: { t: "abcdef", l: [1, 2] },
  batchText,
  error: { code, index: 0 },
});

/** How a number is written in the JSON text makes no difference, so these batches come as text. */
export const numbers = [
  onText("1.0 counts as 1", '[["t",["t"],1.0]]', { t: "bcdef" }),
  onText("2e0 counts as 2", '[["t",["t"],2e0]]', { t: "cdef" }),
  onText("0.3e1 counts as 3", '[["t",["t"],0.3e1]]', { t: "def" }),
  onText("-0 counts as 0", '[["t",["t"],-0]]', {}),
  onText("1.0 is an index in a path", '[["s",["l",1.0],9]]', { l: [1, 9] }),
  onText("-0.0 is the index 0 in a path", '[["s",["l",-0.0],9]]', { l: [9, 2] }),
  onText("1e0 is an index of a splice, 1.0 a number of elements", '[["p",["l"],1e0,1.0,[3]]]', { l: [1, 3] }),
  onText("-0 is the value 0", '[["s",["n"],-0.0]]', { n: 0 }),
  onText("1E2 is the value 100", '[["s",["n"],1E2]]', { n: 100 }),
  onText("a number too small to tell from 0 is 0", '[["s",["n"],1e-400]]', { n: 0 }),
  onText("the last of equal keys counts", '[["s",["n"],{"a":1,"a":2}]]', { n: { a: 2 } }),
  onText("halves of a character that are escaped make one", String.raw`[["a",["t"],"\ud83e\udd8a"],["t",["t"],7]]`, {
    t: "\u{1F98A}".charAt(1),
  }),
  refused("a number too large for a double is no value", '[["s",["n"],1e400]]', "not_json"),
  refused("a number too large for a double is no value inside one", '[["r",{"a":[-1e400]}]]', "not_json"),
  refused("a number too large for a double is no element", '[["p",["l"],0,0,[1e400]]]', "not_json"),
  refused("a number too large for a double is no count", '[["t",["t"],1e400]]', "bad_count"),
  refused("a count must be exact in a double", '[["t",["t"],9007199254740992]]', "bad_count"),
  refused("a count has no fraction", '[["t",["t"],1.5]]', "bad_count"),
  refused("true is no count", '[["t",["t"],true]]', "bad_count"),
  refused("false is no index", '[["s",["l",false],9]]', "bad_path"),
  refused("true is no index of a splice", '[["p",["l"],true,0,[]]]', "bad_index"),
  refused("true is no number of elements", '[["p",["l"],0,true,[]]]', "bad_count"),
];
