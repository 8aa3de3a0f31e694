import type { AppendOptions } from "./contract.js";

/** A JSON text where a backend keeps it. */
export interface StoredText {
  /** Its length in UTF-8. */
  readonly bytes: number;
}

/** A JSON text in memory. */
export interface JsonText extends StoredText {
  readonly json: string;
}

/** One stated write, with its element where `T` says. */
export type Write<T extends StoredText> =
  | { readonly kind: "set"; readonly key: string; readonly text: T }
  | { readonly kind: "delete"; readonly key: string }
  | { readonly kind: "append"; readonly key: string; readonly text: T; readonly options: AppendOptions }
  | { readonly kind: "clear"; readonly key: string }
  | { readonly kind: "retire"; readonly scopeId: string };
