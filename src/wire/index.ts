export { connectLocally } from "./local-connection.js";
export type { LocalConnection, LocalConnectionOptions } from "./local-connection.js";
