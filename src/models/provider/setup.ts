import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { Json } from "../../protocol/index.js";
import type { Model } from "../contract.js";
import { createKeyCommandRunner } from "../key/key-command.js";
import { findKey } from "../key/key.js";
import type { KeyPlace, KeySource } from "../key/key.js";
import type { ModelOptions } from "../model-options.js";
import { findPrice } from "../prices.js";
import { checkBaseUrl, checkTransport } from "./base-url.js";
import { guardFetch } from "./guarded-fetch.js";
import { createProviderModel } from "./provider-model.js";
import type { Wire } from "./wire.js";

/** The variables that hold keys. No program that a model's key is asked of is given them. */
export const KEY_VARIABLES = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "SPILLWAY_SERVER_KEY"] as const;

/** What one provider is, beside what its user says. */
export interface ProviderSetup {
  readonly id: string;
  readonly keyPlace: KeyPlace;
  readonly wire: Wire;
  readonly baseUrl: string;
  readonly settings: Readonly<Record<string, Json>>;
  readonly load: (connection: ProviderConnection) => Promise<LanguageModelV3>;
}

export interface ProviderConnection {
  readonly key: string | undefined;
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

/** Throws `invalid_model` for what is wrong before anything is asked; a key is looked for at the first request. */
export function setUpModel(setup: ProviderSetup, options: ModelOptions): Model {
  const { id, keyPlace, wire, load, settings } = setup;
  const baseUrl = checkBaseUrl(setup.baseUrl);
  checkTransport(baseUrl, options.allowPlainHttp ?? false);
  // Taken at each request, so that a fetch that is replaced later, by a test for example, is the one that is used.
  const fetchNow: typeof fetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
  const fetch = guardFetch({ fetch: fetchNow, provider: keyPlace.provider });
  return createProviderModel({
    id,
    provider: keyPlace.provider,
    wire: options.images === false ? { ...wire, images: "none" } : wire,
    key: findModelKey(keyPlace, options),
    load: (key) => load({ key, baseUrl, fetch }),
    settings,
    price: findPrice(options.prices, id),
    contextTokens: options.contextTokens,
    maxOutputTokens: options.maxOutputTokens,
    now: options.now ?? Date.now,
  });
}

function findModelKey(place: KeyPlace, { key, environment = {} }: ModelOptions): KeySource {
  const own = key === undefined ? environment : { [place.variable]: key };
  const hidden = new Set<string>(KEY_VARIABLES);
  const shown = Object.fromEntries(Object.entries(environment).filter(([name]) => !hidden.has(name)));
  return findKey(place, own, createKeyCommandRunner({ environment: shown }));
}
