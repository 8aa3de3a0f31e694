/** In what the wires differ, as far as what is said on them is made and read here. */
export interface Wire {
  /** The name under which the provider's package takes and gives data of its own. */
  readonly namespace: string;
  /**
   * What is sent back of what the model thought: `signed`, all that the provider gave data for; `plain`, the text of what
   * it thought since the last message of the user, which is how far models that think between calls want it.
   */
  readonly thinking: "signed" | "plain";
  /** Where an image that a tool gave goes: into its result, into a message of the user after the results, or nowhere. */
  readonly images: "result" | "message" | "none";
  /** Whether places are marked up to which the provider is to keep the conversation for the next request. */
  readonly marksCache: boolean;
  /** Whether a conversation with calls is refused unless tools are stated. */
  readonly needsTools: boolean;
  /** Whether data counts only where a block ends, because what its beginning has is not complete. */
  readonly dataAtEnd: boolean;
  /** The types of events that the provider's package knows, where others are to be passed over. */
  readonly knownEvents?: ReadonlySet<string> | undefined;
}
