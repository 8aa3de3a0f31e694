import { expect, test } from "vitest";
import { findKey, MAX_KEY_LENGTH } from "./key.js";
import type { KeyPlace } from "./key.js";

const place: KeyPlace = {
  provider: "Acme",
  variable: "ACME_KEY",
  commandVariable: "ACME_COMMAND",
  page: "https://acme.example/keys",
};
const signal = new AbortController().signal;
const neverRun = (): Promise<string> => Promise.reject(new Error("no command was set"));

test("[M7] the variable's value is the key, without the spaces around it", async () => {
  await expect(findKey(place, { ACME_KEY: " k-1\n" }, neverRun).read(signal)).resolves.toBe("k-1");
});

test("[M7] without a key the message says where to get one and where to put it", async () => {
  await expect(findKey(place, { ACME_KEY: "" }, neverRun).read(signal)).rejects.toMatchObject({
    code: "key_missing",
    message:
      "There is no key for Acme. Get one at https://acme.example/keys and set ACME_KEY, or ACME_COMMAND to a command that prints it.",
  });
  await expect(findKey({ ...place, page: undefined }, {}, neverRun).read(signal)).resolves.toBeUndefined();
});

test.each([
  ["with space", "a b"],
  ["two lines", "a\nb"],
  ["letters beyond ASCII", "schlüssel"],
  ["too much", "x".repeat(MAX_KEY_LENGTH + 1)],
])("[M7] a key %s is refused before anybody could quote it", async (_name, value) => {
  const failure = await findKey(place, { ACME_KEY: value }, neverRun)
    .read(signal)
    .catch((error: unknown) => error);

  expect(failure).toMatchObject({ code: "key_missing" });
  expect(String(failure)).not.toContain(value);
});

test("[M7] a command goes before the variable, runs once, and again after the key was refused or it failed", async () => {
  const ran: string[] = [];
  const answers = [Promise.reject(new Error("locked")), Promise.resolve("k-1"), Promise.resolve("k-2")];
  const key = findKey(place, { ACME_KEY: "k-0", ACME_COMMAND: "vault acme" }, (command) => {
    ran.push(command);
    return answers.shift() ?? neverRun();
  });

  await expect(key.read(signal)).rejects.toThrow("locked");
  expect(await Promise.all([key.read(signal), key.read(signal)])).toEqual(["k-1", "k-1"]);
  key.forget();
  expect(await key.read(signal)).toBe("k-2");
  expect(ran).toEqual(["vault acme", "vault acme", "vault acme"]);
});

test("[M7] whoever waits for a command stops with the abort's reason, and nobody else does", async () => {
  let resolve = (_key: string): void => undefined;
  const promise = new Promise<string>((settle) => (resolve = settle));
  const key = findKey(place, { ACME_COMMAND: "vault" }, () => promise);
  const controller = new AbortController();
  const reason = new Error("stop");

  const stopped = key.read(controller.signal);
  const waiting = key.read(signal);
  controller.abort(reason);
  resolve("k-1");

  await expect(stopped).rejects.toBe(reason);
  await expect(waiting).resolves.toBe("k-1");
});
