import { ModelError } from "./contract.js";
import { checkBaseUrl } from "./provider/base-url.js";

/** What a model's name says. */
export type ModelName =
  | { readonly kind: "anthropic"; readonly model: string }
  | { readonly kind: "openai"; readonly model: string }
  | { readonly kind: "server"; readonly baseUrl: string; readonly model: string }
  | { readonly kind: "script"; readonly path: string };

export const MAX_MODEL_NAME_LENGTH = 256;

const FORMS = "anthropic:MODEL, openai:MODEL, http://HOST:PORT/v1#MODEL or script:FILE";

/** Reads `anthropic:MODEL`, `openai:MODEL`, `http://HOST:PORT/v1#MODEL` or `script:FILE`. Throws `invalid_model`. */
export function parseModelName(name: string): ModelName {
  if (/^https?:/i.test(name)) return parseServer(name);
  const [, kind, rest = ""] = /^([a-z]+):(.*)$/s.exec(name) ?? [];
  if (kind === "anthropic" || kind === "openai") return { kind, model: checkModel(rest, `${kind}:MODEL`) };
  if (kind !== "script")
    throw new ModelError("invalid_model", `A model is named as ${FORMS}, and not as ${quote(name)}.`);
  if (rest === "")
    throw new ModelError("invalid_model", "script: needs the path of a file, such as script:build.json.");
  return { kind, path: rest };
}

/** Such as `anthropic:MODEL`: the same for the same model, however it was written. */
export function formatModelName(name: ModelName): string {
  if (name.kind === "script") return `script:${name.path}`;
  return name.kind === "server" ? `${name.baseUrl}#${name.model}` : `${name.kind}:${name.model}`;
}

function parseServer(name: string): ModelName {
  const mark = name.indexOf("#");
  const baseUrl = checkBaseUrl(mark === -1 ? name : name.slice(0, mark));
  const model = checkModel(mark === -1 ? "" : name.slice(mark + 1), `${baseUrl}#MODEL`);
  return { kind: "server", baseUrl, model };
}

function checkModel(model: string, form: string): string {
  if (model === "") throw new ModelError("invalid_model", `Which model? Say ${form}.`);
  if (model.length <= MAX_MODEL_NAME_LENGTH && /^[\x21-\x7e]+$/.test(model)) return model;
  const limit = `at most ${MAX_MODEL_NAME_LENGTH} characters of printable ASCII without spaces`;
  throw new ModelError("invalid_model", `The model's name in ${form} is ${limit}; ${quote(model)} is not.`);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text);
}
