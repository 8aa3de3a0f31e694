import { expect, test } from "vitest";
import { choosePolicy } from "./permissions.js";

test.each([
  ["a person is asked", true, "ask"],
  ["a program is refused", false, "refuse"],
] as const)("[R32] %s about what changes something, and about nothing else", (_name, isPerson, permission) => {
  expect(choosePolicy({ allowsAll: false, isPerson, stored: undefined })).toEqual({
    tools: { bash: permission, write: permission, edit: permission },
    others: "allow",
  });
});

test("[R32] what was allowed for always stays so, and what an option allowed does not", () => {
  const always = { tools: { bash: "allow", write: "ask", edit: "refuse" }, others: "allow" } as const;
  const byOption = choosePolicy({ allowsAll: true, isPerson: false, stored: undefined });

  expect(choosePolicy({ allowsAll: false, isPerson: true, stored: always }).tools).toEqual({
    bash: "allow",
    write: "ask",
    edit: "ask",
  });
  expect(choosePolicy({ allowsAll: false, isPerson: true, stored: byOption }).tools["bash"]).toBe("ask");
});
