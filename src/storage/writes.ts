import type { AppendOptions } from "./contract.js";

/** One stated write, with its element as JSON text. */
export type Write =
  | { readonly kind: "set"; readonly key: string; readonly text: string }
  | { readonly kind: "delete"; readonly key: string }
  | { readonly kind: "append"; readonly key: string; readonly text: string; readonly options: AppendOptions }
  | { readonly kind: "clear"; readonly key: string }
  | { readonly kind: "retire"; readonly scopeId: string };
