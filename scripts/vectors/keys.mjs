/** Text, since an object literal would read `__proto__` as a prototype. */
const parse = (text) => JSON.parse(text);
const dangerous = ["__proto__", "constructor", "prototype"];
const inherited = ["toString", "hasOwnProperty", "length", "__defineGetter__", "items", "keys", "append"];

const refused = (name, before, batch) => ({ name, before, batch, error: { code: "refused_segment", index: 0 } });

/** Names that reach beyond the data in one language or another. In values they are data, in paths three are refused. */
export const keys = [
  ...dangerous.flatMap((key) => [
    {
      name: `${key} is data in r`,
      batch: [["r", parse(`{"${key}":{"x":1}}`)]],
      after: parse(`{"${key}":{"x":1}}`),
    },
    {
      name: `${key} is data in s`,
      before: { o: 1 },
      batch: [["s", ["o"], parse(`{"${key}":1,"b":[{"${key}":null}]}`)]],
      after: parse(`{"o":{"${key}":1,"b":[{"${key}":null}]}}`),
    },
    {
      name: `${key} is data in p`,
      before: [],
      batch: [["p", [], 0, 0, [parse(`{"${key}":"x"}`)]]],
      after: parse(`[{"${key}":"x"}]`),
    },
    {
      name: `beside ${key} a key is written`,
      before: parse(`{"${key}":1}`),
      batch: [["s", ["b"], 2]],
      after: parse(`{"${key}":1,"b":2}`),
    },
    refused(`s through ${key} is refused`, {}, [["s", [key, "x"], 1]]),
    refused(`s at ${key} is refused`, { o: {} }, [["s", ["o", key], 1]]),
    refused(`d at ${key} is refused`, parse(`{"${key}":1}`), [["d", [key]]]),
    refused(`a at ${key} is refused`, parse(`{"${key}":"x"}`), [["a", [key], "y"]]),
    refused(`t at ${key} is refused`, parse(`{"${key}":"x"}`), [["t", [key], 1]]),
    refused(`p at ${key} is refused`, parse(`{"${key}":[]}`), [["p", [key], 0, 0, []]]),
  ]),
  ...inherited.flatMap((key) => [
    { name: `${key} is a key like any other`, before: {}, batch: [["s", [key], 1]], after: { [key]: 1 } },
    {
      name: `${key} is not there unless it was written`,
      before: {},
      batch: [["a", [key], "x"]],
      error: { code: "missing_target", index: 0 },
    },
    {
      name: `${key} leads nowhere unless it was written`,
      before: {},
      batch: [["s", [key, "x"], 1]],
      error: { code: "missing_target", index: 0 },
    },
    {
      name: `${key} of an array is no target`,
      before: { l: ["a"] },
      batch: [["s", ["l", key], 1]],
      error: { code: "wrong_target", index: 0 },
    },
  ]),
];
