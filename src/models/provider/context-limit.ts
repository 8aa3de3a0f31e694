/** What providers and servers say where a request is more than the model holds. Each in their own words. */
const SENTENCES: readonly RegExp[] = [
  // Anthropic.
  /prompt is too long/i,
  /exceed(s|ed)? (the )?context (limit|window|length)/i,
  // OpenAI, DeepSeek, vLLM, OpenRouter.
  /maximum context length/i,
  /exceeds the context window/i,
  /too long to fit into the model/i,
  // llama.cpp; Ollama, which mostly cuts the request and says nothing.
  /exceeds? (the )?available context size/i,
  /exceeded (the )?(max|maximum) context/i,
  /input (length )?exceeds (the )?context/i,
  // LM Studio.
  /tokens to keep from the initial prompt is greater than the context/i,
  /trying to keep the first \d+ tokens when context/i,
  // Gemini, xAI, Groq, Mistral, Bedrock through a proxy.
  /input token count.{0,80}exceeds the maximum/i,
  /maximum prompt length is/i,
  /reduce the length of the messages/i,
  /too large for model with \d+ maximum context/i,
  /input is too long for requested model/i,
];

const NAMES: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "exceed_context_size_error",
  // A body of too many bytes, which a shorter conversation heals as well.
  "request_too_large",
]);

/** Whether an error says that the request is more than the model holds. `names` are its type and code. */
export function isContextLimit(message: string, names: readonly string[]): boolean {
  return names.some((name) => NAMES.has(name)) || SENTENCES.some((sentence) => sentence.test(message));
}
