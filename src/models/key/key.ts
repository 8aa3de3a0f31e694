import { ModelError } from "../contract.js";
import { untilAborted } from "../until-aborted.js";
import type { RunKeyCommand } from "./key-command.js";

/** Where a provider's key comes from. Nothing else holds the key, and nothing writes it. */
export interface KeySource {
  /** Undefined where there is none and none is needed. Throws `key_missing` or `key_command_failed`. */
  read(signal: AbortSignal): Promise<string | undefined>;
  /** Called when the provider refused the key, so that the next request asks for it anew. */
  forget(): void;
  /** What to do about a key that is missing or refused. */
  readonly advice: string;
}

export interface KeyPlace {
  /** Such as `Anthropic`. */
  readonly provider: string;
  /** The variable that holds the key. */
  readonly variable: string;
  /** The variable that holds the command which prints it. */
  readonly commandVariable: string;
  /** Where one gets a key; undefined where none is needed. */
  readonly page?: string | undefined;
}

export const MAX_KEY_LENGTH = 4_096;

/** A command that is set goes before a variable that is set: it is there for spillway alone. */
export function findKey(
  place: KeyPlace,
  environment: Readonly<Record<string, string | undefined>>,
  run: RunKeyCommand,
): KeySource {
  const { variable, commandVariable } = place;
  const command = environment[commandVariable] ?? "";
  const advice = describeAdvice(place);
  if (command !== "") return commandKey(place, command, run, `See what ${commandVariable} prints, by hand.`);
  const value = environment[variable] ?? "";
  return {
    advice,
    forget: () => undefined,
    async read() {
      if (value !== "") return checkKey(value.trim(), `${variable} holds no key`, "key_missing");
      if (place.page === undefined) return undefined;
      throw new ModelError("key_missing", `There is no key for ${place.provider}. ${advice}`);
    },
  };
}

function commandKey(place: KeyPlace, command: string, run: RunKeyCommand, advice: string): KeySource {
  let known: Promise<string> | undefined;
  const forget = (): void => {
    known = undefined;
  };
  return {
    advice,
    forget,
    read(signal) {
      const reading = (known ??= run(command).then((line) =>
        checkKey(line, `The first line that ${place.commandVariable} prints is no key`, "key_command_failed"),
      ));
      // A command that failed is run again for the next request.
      reading.catch(() => {
        if (known === reading) forget();
      });
      return untilAborted(reading, signal);
    },
  };
}

/** What could not be a header is found here, because the error of whoever sends it would quote it. */
function checkKey(key: string, problem: string, code: "key_missing" | "key_command_failed"): string {
  if (key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new ModelError(code, `${problem}: a key is 1 to ${MAX_KEY_LENGTH} characters of ASCII without spaces.`);
}

function describeAdvice({ variable, commandVariable, page }: KeyPlace): string {
  const set = `set ${variable}, or ${commandVariable} to a command that prints it`;
  return page === undefined ? `If the server wants a key, ${set}.` : `Get one at ${page} and ${set}.`;
}
