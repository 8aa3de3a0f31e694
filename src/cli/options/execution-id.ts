/** As an env names its executions: `exec_`, the id of the exec host where there is one, 16 letters and digits. */
const EXECUTION_ID = /^exec_(?:[a-z0-9]{8}_)?[a-z0-9]{16}$/;

export function isExecutionId(text: string): boolean {
  return EXECUTION_ID.test(text);
}

/** @throws {RangeError} whose message says what is accepted. */
export function parseExecutionId(text: string): string {
  if (isExecutionId(text)) return text;
  throw new RangeError(`"${text}" is no execution's id, such as exec_x3f0a9z2_gvbjqy9q0wq0nekn; see: spillway ps`);
}
