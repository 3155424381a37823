import { expect, it } from "vitest";
import { isKeptField } from "../../../../renderer/shell/typed-text/kept-field.ts";

const isKept = (type: string, autocomplete = "", readOnly = false) => isKeptField({ type, autocomplete, readOnly });

it("What is typed is kept, but for secrets, whether they are shown or not", () => {
  for (const type of ["text", "search", "number", "textarea"]) expect([type, isKept(type)]).toEqual([type, true]);
  for (const type of ["password", "text"])
    for (const autocomplete of ["new-password", "current-password", "one-time-code"])
      expect([type, autocomplete, isKept(type, autocomplete)]).toEqual([type, autocomplete, false]);
  expect([isKept("password"), isKept("checkbox"), isKept("text", "off", true)]).toEqual([false, false, false]);
});
