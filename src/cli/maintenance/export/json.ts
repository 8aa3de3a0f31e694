import type { SessionContents } from "../../show/session-contents.js";

/**
 * One JSON document: `{spillway: "session", version: 1, session, lanes: [{id, entries, operation, unsettled}]}`. Of a long
 * session it is longer than any string can be, so it comes in pieces.
 */
export function* writeJson({ summary, lanes }: SessionContents): Generator<string> {
  yield `{"spillway":"session","version":1,"session":${JSON.stringify(summary)},"lanes":[`;
  for (const [place, { id, transcript, record, unsettled }] of lanes.entries()) {
    yield `${place === 0 ? "" : ","}\n{"id":${JSON.stringify(id)},"entries":[`;
    for (const [index, entry] of transcript.entries()) yield `${index === 0 ? "" : ","}\n${JSON.stringify(entry)}`;
    const calls = unsettled?.calls.map(({ memos, ...call }) => ({ ...call, memos: Object.fromEntries(memos) }));
    const open = unsettled === undefined ? null : { ...unsettled, calls };
    yield `],"operation":${JSON.stringify(record ?? null)},"unsettled":${JSON.stringify(open)}}`;
  }
  yield "]}\n";
}
