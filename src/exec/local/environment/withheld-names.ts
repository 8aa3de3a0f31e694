/**
 * Variables that the harness itself may hold, and that a command therefore does not get: whoever can make an agent run a
 * command could otherwise read them. Nothing else is withheld. What belongs to the user's own work (`GITHUB_TOKEN`,
 * `NPM_TOKEN`, `AWS_SECRET_ACCESS_KEY`, …) stays, because builds need it.
 */
export const WITHHELD_NAMES: readonly string[] = [
  // Providers of models whose names follow no pattern below.
  "AWS_BEARER_TOKEN_BEDROCK",
  "CO_API_KEY",
  "GH_MODELS_TOKEN",
  "GOOGLE_API_KEY",
  "HF_TOKEN",
  "HUGGING_FACE_HUB_TOKEN",
  "OLLAMA_API_KEY",
  // Storage and fan-out of sessions.
  "DATABASE_URL",
  "DATABASE_URL_UNPOOLED",
  "NATS_CREDS",
  "NATS_NKEY",
  "NATS_PASSWORD",
  "NATS_TOKEN",
  "NATS_URL",
  "PGPASSWORD",
  "POSTGRESQL_URL",
  "POSTGRES_PASSWORD",
  "POSTGRES_URL",
];

const PROVIDERS = [
  "AI_GATEWAY",
  "ANTHROPIC",
  "AZURE_AI",
  "AZURE_OPENAI",
  "BASETEN",
  "CEREBRAS",
  "CLAUDE",
  "CLAUDE_CODE",
  "COHERE",
  "DEEPINFRA",
  "DEEPSEEK",
  "FIREWORKS",
  "GEMINI",
  "GOOGLE_AI",
  "GOOGLE_GENERATIVE_AI",
  "GROK",
  "GROQ",
  "HUGGINGFACE",
  "MISTRAL",
  "MOONSHOT",
  "NOVITA",
  "OPENAI",
  "OPENROUTER",
  "PERPLEXITY",
  "REPLICATE",
  "TOGETHER",
  "TOGETHER_AI",
  "VERCEL_AI_GATEWAY",
  "VOYAGE",
  "XAI",
  "ZAI",
  "ZHIPU",
];
const KINDS = "API_KEYS?|API_TOKEN|AUTH_TOKEN|OAUTH_TOKEN|ACCESS_TOKEN|ADMIN_KEY|TOKEN|SECRET|SECRET_KEY|KEY";

/** A provider's name, anything, and a word that says what is secret: `OPENAI_API_KEY`, `ANTHROPIC_WORK_API_KEY_2`. */
const PROVIDER_KEY = new RegExp(`^(?:${PROVIDERS.join("|")})_(?:[A-Z0-9_]+_)?(?:${KINDS})(?:_?\\d+)?$`, "i");

/** Spillway's own. Where its state lies (`SPILLWAY_HOME`) is no secret, and a nested run needs it. */
const OWN_SECRET = /^SPILLWAY_(?:[A-Z0-9_]+_)?(?:TOKEN|KEY|KEY_COMMAND|SECRET|PASSWORD|URL|DSN)$/i;

/** Whether a variable of this name is kept from commands unless somebody lets it through. */
export function isWithheldName(name: string): boolean {
  return WITHHELD.has(name.toUpperCase()) || PROVIDER_KEY.test(name) || OWN_SECRET.test(name);
}

const WITHHELD: ReadonlySet<string> = new Set(WITHHELD_NAMES);
