import { expect, test } from "vitest";
import { isWithheldName } from "./withheld-names.js";

test.each([
  "OPENAI_API_KEY",
  "openai_api_key",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_WORK_API_KEY_2",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "AZURE_OPENAI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GEMINI_API_KEY",
  "MISTRAL_API_KEY",
  "AWS_BEARER_TOKEN_BEDROCK",
  "DATABASE_URL",
  "POSTGRES_URL",
  "PGPASSWORD",
  "NATS_URL",
  "SPILLWAY_TOKEN",
  "SPILLWAY_VIEW_TOKEN",
  "SPILLWAY_DATABASE_URL",
  "SPILLWAY_SERVER_KEY",
  "SPILLWAY_ANTHROPIC_KEY_COMMAND",
])("[X19] %s is kept from commands", (name) => {
  expect(isWithheldName(name)).toBe(true);
});

test.each([
  "PATH",
  "HOME",
  "GITHUB_TOKEN",
  "NPM_TOKEN",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_REGION",
  "OPENAI_BASE_URL",
  "ANTHROPIC_MODEL",
  "SPILLWAY_HOME",
  "PGHOST",
  "PGDATABASE",
  "MY_OPENAI_API_KEY",
  "TOKEN",
  "TOKENIZERS_PARALLELISM",
  "OPENAI_API_KEYBOARD",
])("[X19] %s is the user's own", (name) => {
  expect(isWithheldName(name)).toBe(false);
});
