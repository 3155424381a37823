/** What is used of node-llama-cpp beyond its public interface. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LlamaContextSequence } from "node-llama-cpp";
import { expect, it } from "vitest";
import { hasInternals } from "../../../server/runner/llama-engine/sequences/drafted-sequence.ts";

/** To be raised by whoever has compared drafted and undrafted answers of the new version, by test/model/engine/drafts.test.ts. */
const checkedVersion = "3.21.1";

it("the pinned and installed node-llama-cpp is the one by which drafting was checked", () => {
  const root = join(import.meta.dirname, "../../..");
  const read = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path, "package.json"), "utf8")) as unknown;
  expect(read()).toMatchObject({ dependencies: { "node-llama-cpp": checkedVersion } });
  expect(read("node_modules", "node-llama-cpp")).toMatchObject({ version: checkedVersion });
});

it("node-llama-cpp has the internal method that drafting replaces, with as many parameters as are passed on", () => {
  expect(hasInternals(LlamaContextSequence)).toBe(true);
  expect(hasInternals(class {})).toBe(false);
  const { _decodeTokens } = LlamaContextSequence.prototype as unknown as Record<string, { length: number }>;
  expect(_decodeTokens).toHaveLength(7);
});
