import { readFile } from "node:fs/promises";
import { createAnthropicModel } from "./anthropic.js";
import { ModelError } from "./contract.js";
import type { Model } from "./contract.js";
import type { ModelOptions } from "./model-options.js";
import { formatModelName, parseModelName } from "./name.js";
import { createOpenAIModel } from "./openai.js";
import { parseScript } from "./script.js";
import { createScriptedModel } from "./scripted.js";
import type { ScriptedModelOptions } from "./scripted.js";
import { createServerModel } from "./server.js";

export interface OpenModelOptions extends ModelOptions {
  /** For `script:FILE`. */
  readonly script?: Omit<ScriptedModelOptions, "id"> | undefined;
  /** Default: the file system's, as UTF-8. */
  readonly readText?: ((path: string) => Promise<string>) | undefined;
}

/**
 * The model of a name: `anthropic:MODEL`, `openai:MODEL`, `http://HOST:PORT/v1#MODEL` or `script:FILE`. Throws
 * `invalid_model` or `invalid_script`; nothing is sent anywhere, and no key is looked for, before the first request.
 */
export async function openModel(name: string, options: OpenModelOptions = {}): Promise<Model> {
  const parsed = parseModelName(name);
  switch (parsed.kind) {
    case "anthropic":
      return createAnthropicModel(parsed.model, options);
    case "openai":
      return createOpenAIModel(parsed.model, options);
    case "server":
      return createServerModel(parsed.baseUrl, parsed.model, options);
    default:
      return createScriptedModel(parseScript(await readScript(parsed.path, options)), {
        ...options.script,
        id: formatModelName(parsed),
      });
  }
}

async function readScript(path: string, { readText = readUtf8 }: OpenModelOptions): Promise<string> {
  try {
    return await readText(path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new ModelError("invalid_script", `The script ${path} cannot be read (${code}).`, { cause });
  }
}

function readUtf8(path: string): Promise<string> {
  return readFile(path, "utf8");
}
