const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Whether every provider takes it as a tool's name. */
export function isToolName(name: string): boolean {
  return TOOL_NAME.test(name);
}
