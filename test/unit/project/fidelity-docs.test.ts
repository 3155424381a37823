/** The figures of fidelity in the README, which is written by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fidelityFigures } from "../../../build/docs/fidelity-pages.ts";
import { root } from "../../../build/root.ts";

it.each([
  ["README.md", "publishes {total} operations: {exact} are simulated exactly and {partial} in part"],
  ["README.zh-CN.md", "{total} 个接口：{exact} 个精确模拟，{partial} 个部分支持"],
])("%s has the figures of fidelity", (file, sentence) => {
  const figures = fidelityFigures();
  const written = sentence.replaceAll(/[{](\w+)[}]/g, (_, name: string) => Number(figures[name]).toLocaleString("en"));
  expect(readFileSync(join(root, file), "utf8")).toContain(written);
});
