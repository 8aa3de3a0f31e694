import type { AssistantPart, Json } from "../../protocol/index.js";

/** What one provider's package gave with a part, without the package's name around it. */
export type ProviderData = Record<string, Json>;

/** The later value of each name; undefined where nothing is left that says anything. */
export function mergeData(earlier: ProviderData | undefined, later: unknown): ProviderData | undefined {
  const stated = isJsonObject(later)
    ? Object.entries(later).filter(([, value]) => value !== null && value !== undefined)
    : [];
  if (stated.length === 0) return earlier;
  // Through JSON, so that nothing which the package keeps is shared with what is stored.
  return { ...earlier, ...(JSON.parse(JSON.stringify(Object.fromEntries(stated))) as ProviderData) };
}

/** What a part holds for the provider of this name. */
export function dataOf(part: AssistantPart, namespace: string): ProviderData | undefined {
  const { providerData } = part;
  if (!isJsonObject(providerData) || !Object.hasOwn(providerData, namespace)) return undefined;
  const data = providerData[namespace];
  return isJsonObject(data) ? data : undefined;
}

export function isJsonObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
