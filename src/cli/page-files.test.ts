import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPageFiles } from "./page-files.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spillway-page-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("[W3] the page is the build's files by their addresses, each with its type", () => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "assets", "index-1a2b.js"), "let a;");
  writeFileSync(join(folder, "assets", "index-3c4d.css"), "a{}");

  const page = readPageFiles(folder);

  expect([...(page ?? [])].map(([path, { type }]) => [path, type])).toEqual([
    ["/assets/index-1a2b.js", "text/javascript; charset=utf-8"],
    ["/assets/index-3c4d.css", "text/css; charset=utf-8"],
    ["/", "text/html; charset=utf-8"],
  ]);
  expect(page?.get("/")?.body).toEqual(new Uint8Array(Buffer.from("<!doctype html>")));
});

test("[W3] what is no file of a page is not served, nor what a link points at", () => {
  writeFileSync(join(folder, "index.html"), "");
  writeFileSync(join(folder, "secret.env"), "TOKEN=1");
  symlinkSync("/etc/passwd", join(folder, "passwd.js"));

  expect([...(readPageFiles(folder)?.keys() ?? [])]).toEqual(["/"]);
});

test("[W3] a page that was not built is none", () => {
  writeFileSync(join(folder, "left-over.js"), "");

  expect(readPageFiles(folder)).toBeUndefined();
  expect(readPageFiles(join(folder, "missing"))).toBeUndefined();
});
