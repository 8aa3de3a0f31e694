import { addMarker } from "../processes/marker.js";
import { MARKER_VARIABLE } from "../processes/tree.js";
import { isWithheldName } from "./withheld-names.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What every command of an env may see of the environment it was given. */
export interface InheritedEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Names that were there and are kept back. */
  readonly withheld: readonly string[];
  /** Their values, as far as they are worth hiding in output. */
  readonly secrets: readonly string[];
  /** The markers of executions that this process itself runs in. */
  readonly outerMarkers: string | undefined;
}

export interface WithholdOptions {
  /** Names kept back besides those that always are. */
  readonly withhold?: readonly string[] | undefined;
  /** Names let through whatever else says no. */
  readonly allow?: readonly string[] | undefined;
}

export function inheritEnvironment(base: Environment, options: WithholdOptions): InheritedEnvironment {
  const extra = new Set(options.withhold);
  const allowed = new Set(options.allow);
  const variables: Record<string, string> = Object.create(null);
  const withheld: string[] = [];
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || name === MARKER_VARIABLE) continue;
    if (allowed.has(name) || !(extra.has(name) || isWithheldName(name))) {
      variables[name] = value;
      continue;
    }
    withheld.push(name);
    if (isWorthHiding(value)) secrets.add(value);
  }
  return { variables, withheld: withheld.sort(), secrets: [...secrets], outerMarkers: base[MARKER_VARIABLE] };
}

/** With values to hide that no variable has. */
export function addSecrets(environment: InheritedEnvironment, values: readonly string[]): InheritedEnvironment {
  const secrets = new Set([...environment.secrets, ...values.filter(isWorthHiding)]);
  return { ...environment, secrets: [...secrets] };
}

export interface CommandEnvironmentInput {
  readonly inherited: InheritedEnvironment;
  readonly inheritEnv: boolean;
  /** Set for this command alone. */
  readonly own: Readonly<Record<string, string>> | undefined;
  readonly marker: string;
}

/** The environment of one command: what it inherits, what keeps programs from asking, its own, and its marker. */
export function commandEnvironment(input: CommandEnvironmentInput): Record<string, string> {
  const inherited = input.inheritEnv ? input.inherited.variables : {};
  const unasking = noQuestions(inherited);
  return {
    ...withoutEditors(inherited),
    ...unasking,
    ...withShellLevel(inherited),
    ...input.own,
    [MARKER_VARIABLE]: addMarker(input.inherited.outerMarkers, input.marker),
  };
}

/** A bash that takes itself for the first shell of a login over ssh reads its user's `.bashrc`, whatever that does or prints. */
function withShellLevel(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Number(variables["SHLVL"]) >= 1 ? {} : { SHLVL: "1" };
}

const EDITOR_VARIABLES = new Set(["EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR"]);

function withoutEditors(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !EDITOR_VARIABLES.has(name)));
}

/** What git runs in place of an editor, in a shell. */
const NO_GIT_EDITOR =
  "echo 'No editor can be used here: give the text in the command, as with git commit -m, or set GIT_EDITOR.' >&2; false";

/**
 * Nobody sits at a terminal, so pagers pass text on, and prompts and editors fail at once.
 *
 * Git is told of its editor by configuration rather than by `GIT_EDITOR`, which would also beat the
 * `git -c core.editor=true rebase --continue` of a command that knows what it does.
 */
function noQuestions(inherited: Readonly<Record<string, string>>): Record<string, string> {
  const given = Number(inherited["GIT_CONFIG_COUNT"] ?? 0);
  const index = Number.isSafeInteger(given) && given > 0 ? given : 0;
  return {
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    EDITOR: "false",
    VISUAL: "false",
    GIT_CONFIG_COUNT: String(index + 1),
    [`GIT_CONFIG_KEY_${index}`]: "core.editor",
    [`GIT_CONFIG_VALUE_${index}`]: NO_GIT_EDITOR,
  };
}

/** Shorter values hide nothing, and plain words (`postgres`) would blacken output that has nothing to do with them. */
const MIN_SECRET_LENGTH = 8;
const ALWAYS_SECRET_LENGTH = 20;

function isWorthHiding(value: string): boolean {
  if (value.length < MIN_SECRET_LENGTH) return false;
  return value.length >= ALWAYS_SECRET_LENGTH || !/^[a-z]+$|^[A-Z]+$|^\d+$/.test(value);
}
