const message = (data) => ({ type: "message", data });

/** Streams of bytes, which may be cut anywhere, and the events in them. */
export const events = [
  { name: "nothing", stream: "", events: [] },
  { name: "a message", stream: 'data: {"seq":0,"ops":[]}\n\n', events: [message('{"seq":0,"ops":[]}')] },
  {
    name: "what a host sends",
    stream:
      'event: open\ndata: {"protocol":1,"facet":"chat"}\n\nid: 0\ndata: {"seq":0}\n\nevent: heartbeat\ndata: {}\n\nevent: end\ndata: {}\n\n',
    events: [
      { type: "open", data: '{"protocol":1,"facet":"chat"}' },
      message('{"seq":0}'),
      { type: "heartbeat", data: "{}" },
      { type: "end", data: "{}" },
    ],
  },
  {
    name: "one space after the colon is no data, the next one is",
    stream: "data:a\n\ndata:  b\n\n",
    events: [message("a"), message(" b")],
  },
  { name: "lines of one event are joined", stream: "data: a\ndata\ndata: b\n\n", events: [message("a\n\nb")] },
  {
    name: "comments and fields that are not known",
    stream: ": hi\nretry: 5\nnovel: x\nnovel\ndata: a\n\n: only\n\n",
    events: [message("a")],
  },
  {
    name: "a type without data is no event, and is forgotten",
    stream: "event: end\n\ndata: a\n\n",
    events: [message("a")],
  },
  { name: "an empty type is a message", stream: "event:\ndata: a\n\n", events: [message("a")] },
  { name: "the last type counts", stream: "event: a\nevent: b\ndata: x\n\n", events: [{ type: "b", data: "x" }] },
  { name: "an event that is not complete", stream: "data: a\n\ndata: b\n", events: [message("a")] },
  {
    name: "blank lines between events",
    stream: "\n\n\ndata: a\n\n\n\ndata: b\n\n",
    events: [message("a"), message("b")],
  },
  {
    name: "a carriage return at a line's end is no part of it",
    stream: "data: a\r\n\r\ndata: b\r\n\r\n",
    events: [message("a"), message("b")],
  },
  { name: "a carriage return alone ends no line", stream: "data: a\rb\n\n", events: [message("a\rb")] },
  {
    name: "other line ends are data",
    stream: "data: a\u2028b\u2029c\u0085d\u000be\u000cf\u001cg\u001dh\u001ei\u0000j\n\n",
    events: [message("a\u2028b\u2029c\u0085d\u000be\u000cf\u001cg\u001dh\u001ei\u0000j")],
  },
  {
    name: "characters of two, three and four bytes",
    stream: "data: é日\u{1F98A}\n\n",
    events: [message("é日\u{1F98A}")],
  },
  {
    name: "a byte order mark is no part of a field's name that is known",
    stream: "\ufeffdata: a\n\ndata: \ufeffb\n\n",
    events: [message("\ufeffb")],
  },
  { name: "colons in the data", stream: "data: a:b: c\n\n", events: [message("a:b: c")] },
];
