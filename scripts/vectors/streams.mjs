const base = (value) => ({ wire: [["r", value]], batch: [["r", value]], after: value });

/** Streams written by hand: what an encoder may send, whether or not ours does. Paths and ids as a consumer must read them. */
export const streams = [
  {
    name: "a path in full, then by an id, then left out",
    steps: [
      base({ o: { t: "" } }),
      { wire: [["a", ["o", "t"], "1"]], batch: [["a", ["o", "t"], "1"]], after: { o: { t: "1" } } },
      {
        wire: [
          ["#", 0, ["o", "t"]],
          ["a", 0, "2"],
        ],
        batch: [["a", ["o", "t"], "2"]],
        after: { o: { t: "12" } },
      },
      {
        wire: [
          ["t", 0, 1],
          ["a", "3"],
        ],
        batch: [
          ["t", ["o", "t"], 1],
          ["a", ["o", "t"], "3"],
        ],
        after: { o: { t: "23" } },
      },
    ],
  },
  {
    name: "every verb may leave its path out",
    steps: [
      base({ a: [] }),
      {
        wire: [["p", ["a"], 0, 0, [1, 2]], ["p", 2, 0, ["x"]], ["s", "now text"], ["a", "!"], ["t", 4], ["d"]],
        batch: [
          ["p", ["a"], 0, 0, [1, 2]],
          ["p", ["a"], 2, 0, ["x"]],
          ["s", ["a"], "now text"],
          ["a", ["a"], "!"],
          ["t", ["a"], 4],
          ["d", ["a"]],
        ],
        after: {},
      },
    ],
  },
  {
    name: "a definition stands between an op and one that repeats its path",
    steps: [
      base({ t: "a", u: "b" }),
      {
        wire: [
          ["a", ["t"], "1"],
          ["#", 3, ["u"]],
          ["a", "2"],
          ["a", 3, "3"],
        ],
        batch: [
          ["a", ["t"], "1"],
          ["a", ["t"], "2"],
          ["a", ["u"], "3"],
        ],
        after: { t: "a12", u: "b3" },
      },
    ],
  },
  {
    name: "the last path is not known in the next batch",
    steps: [
      base({ t: "a" }),
      { wire: [["a", ["t"], "1"]], batch: [["a", ["t"], "1"]], after: { t: "a1" } },
      { wire: [["a", "2"]], error: { code: "no_previous_path", index: 0 } },
      { wire: [["a", ["t"], "2"]], batch: [["a", ["t"], "2"]], after: { t: "a12" } },
    ],
  },
  {
    name: "ids are used on the first occasion, in any order, up to 1,023",
    steps: [
      base({ t: "a", u: "b" }),
      {
        wire: [
          ["#", 1_023, ["u"]],
          ["#", 7, ["t"]],
          ["s", 7, "x"],
          ["s", 1_023, "y"],
        ],
        batch: [
          ["s", ["t"], "x"],
          ["s", ["u"], "y"],
        ],
        after: { t: "x", u: "y" },
      },
    ],
  },
  {
    name: "an id is defined again, in another batch and in the same one",
    steps: [
      base({ t: "a", u: "b" }),
      {
        wire: [
          ["#", 0, ["t"]],
          ["a", 0, "1"],
        ],
        batch: [["a", ["t"], "1"]],
        after: { t: "a1", u: "b" },
      },
      {
        wire: [
          ["a", 0, "2"],
          ["#", 0, ["u"]],
          ["a", 0, "3"],
        ],
        batch: [
          ["a", ["t"], "2"],
          ["a", ["u"], "3"],
        ],
        after: { t: "a12", u: "b3" },
      },
      { wire: [["a", 0, "4"]], batch: [["a", ["u"], "4"]], after: { t: "a12", u: "b34" } },
    ],
  },
  {
    name: "an id may name the root for a splice, and a path may be written out though it has an id",
    steps: [
      base([1]),
      {
        wire: [
          ["#", 0, []],
          ["p", 0, 1, 0, [2]],
          ["p", [], 2, 0, [3]],
          ["p", 0, 1, []],
        ],
        batch: [
          ["p", [], 1, 0, [2]],
          ["p", [], 2, 0, [3]],
          ["p", [], 0, 1, []],
        ],
        after: [2, 3],
      },
    ],
  },
  {
    name: "a base begins with no ids",
    steps: [
      base({ t: "a" }),
      {
        wire: [
          ["#", 0, ["t"]],
          ["a", 0, "1"],
        ],
        batch: [["a", ["t"], "1"]],
        after: { t: "a1" },
      },
      base({ t: "b" }),
      { wire: [["a", 0, "2"]], error: { code: "unknown_path_id", index: 0 } },
      { wire: [["a", ["t"], "2"]], batch: [["a", ["t"], "2"]], after: { t: "b2" } },
    ],
  },
  {
    name: "ids that a base batch defines last",
    steps: [
      {
        wire: [
          ["r", { t: "a" }],
          ["#", 0, ["t"]],
          ["a", 0, "1"],
          ["a", "2"],
        ],
        batch: [
          ["r", { t: "a" }],
          ["a", ["t"], "1"],
          ["a", ["t"], "2"],
        ],
        after: { t: "a12" },
      },
      { wire: [["t", 0, 1]], batch: [["t", ["t"], 1]], after: { t: "12" } },
    ],
  },
  {
    name: "a reader that joins has a base of its own and then the shared stream, whose encoder forgot its ids",
    steps: [
      base({ t: "a12", u: "b" }),
      {
        wire: [
          ["a", ["t"], "3"],
          ["a", ["u"], "c"],
        ],
        batch: [
          ["a", ["t"], "3"],
          ["a", ["u"], "c"],
        ],
        after: { t: "a123", u: "bc" },
      },
      {
        wire: [
          ["#", 0, ["t"]],
          ["a", 0, "4"],
        ],
        batch: [["a", ["t"], "4"]],
        after: { t: "a1234", u: "bc" },
      },
    ],
  },
  {
    name: "who read on while the encoder forgot has old ids defined anew",
    steps: [
      base({ t: "", u: "" }),
      {
        wire: [
          ["#", 0, ["t"]],
          ["a", 0, "1"],
          ["#", 1, ["u"]],
          ["a", 1, "1"],
        ],
        batch: [
          ["a", ["t"], "1"],
          ["a", ["u"], "1"],
        ],
        after: { t: "1", u: "1" },
      },
      { wire: [["a", ["u"], "2"]], batch: [["a", ["u"], "2"]], after: { t: "1", u: "12" } },
      {
        wire: [
          ["#", 0, ["u"]],
          ["a", 0, "3"],
        ],
        batch: [["a", ["u"], "3"]],
        after: { t: "1", u: "123" },
      },
    ],
  },
  {
    name: "a refused batch defines nothing, forgets nothing and changes no id",
    steps: [
      base({ t: "a", u: "b" }),
      {
        wire: [
          ["#", 0, ["t"]],
          ["a", 0, "1"],
        ],
        batch: [["a", ["t"], "1"]],
        after: { t: "a1", u: "b" },
      },
      {
        wire: [
          ["#", 0, ["u"]],
          ["#", 1, ["u"]],
          ["a", 0, 5],
        ],
        error: { code: "not_text", index: 2 },
      },
      {
        wire: [
          ["r", {}],
          ["d", []],
        ],
        error: { code: "root_op", index: 1 },
      },
      { wire: [["a", 1, "x"]], error: { code: "unknown_path_id", index: 0 } },
      { wire: [["a", 0, "2"]], batch: [["a", ["t"], "2"]], after: { t: "a12", u: "b" } },
    ],
  },
  {
    name: "plain batches are encoded batches too, and empty ones stay empty",
    steps: [
      base({ t: "a" }),
      { wire: [], batch: [], after: { t: "a" } },
      {
        wire: [
          ["s", ["t"], "b"],
          ["s", ["t"], "c"],
        ],
        batch: [
          ["s", ["t"], "b"],
          ["s", ["t"], "c"],
        ],
        after: { t: "c" },
      },
      { wire: [["#", 5, ["t"]]], batch: [], after: { t: "c" } },
      { wire: [["d", 5]], batch: [["d", ["t"]]], after: {} },
    ],
  },
  {
    name: "a path of one number is no id, and an id of 0 is no path",
    steps: [
      base(["a", "b"]),
      {
        wire: [
          ["#", 1, [0]],
          ["a", [1], "1"],
          ["a", 1, "2"],
        ],
        batch: [
          ["a", [1], "1"],
          ["a", [0], "2"],
        ],
        after: ["a2", "b1"],
      },
    ],
  },
];
