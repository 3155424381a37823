import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { sourceOfError } from "../../../server/app/requests/source-of-error.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const source = `interface Order { id: number }

export function settle(order: Order): never {
  const amount = order.id * 2;
  throw new Error("cannot settle " + String(amount));
}
`;

/** The stack of what a bundle of `source` throws. */
async function thrownBy(name: string, sourcemap: boolean): Promise<string> {
  const written = join(folder.path, name, "settle-order.ts");
  mkdirSync(join(folder.path, name), { recursive: true });
  writeFileSync(written, source);
  const outfile = join(folder.path, name, "bundle.mjs");
  await build({
    entryPoints: [written],
    outfile,
    bundle: true,
    format: "esm",
    minify: true,
    keepNames: true,
    sourcemap,
  });
  const { settle } = (await import(/* @vite-ignore */ outfile)) as { settle: (order: { id: number }) => never };
  try {
    return settle({ id: 21 });
  } catch (error) {
    return (error as Error).stack ?? "";
  }
}

describe("the source of an exception", () => {
  it("is the original line for bundled code with a source map", async () => {
    const place = await sourceOfError(await thrownBy("mapped", true));
    expect(place).toMatchObject({
      file: relative(process.cwd(), join(folder.path, "mapped", "settle-order.ts")),
      line: 5,
      first_line: 2,
      function: "settle",
    });
    expect(place?.lines[5 - 2]).toBe('  throw new Error("cannot settle " + String(amount));');
  });

  it("is the first line outside of packages and Node itself", async () => {
    const file = join(folder.path, "route.ts");
    writeFileSync(file, "one\ntwo\nthree\n");
    const stack = `Error: no such table
    at Database.prepare (node:internal/x:1:1)
    at read (/srv/node_modules/driver/index.js:3:1)
    at async list (file://${file}:2:5)
    at async serve (/elsewhere/serve.ts:1:1)`;
    expect(await sourceOfError(stack)).toEqual({
      file: relative(process.cwd(), file),
      line: 2,
      column: 5,
      function: "list",
      first_line: 1,
      lines: ["one", "two", "three", ""],
    });
  });

  it("is missing where the file is missing, or its line is generated", async () => {
    expect(await sourceOfError("Error: x\n    at f (/no/such/file.ts:1:1)")).toBeUndefined();
    expect(await sourceOfError("Error: x")).toBeUndefined();
    const file = join(folder.path, "minified.js");
    writeFileSync(file, `${"a;".repeat(400)}\n`);
    expect(await sourceOfError(`Error: x\n    at f (${file}:1:700)`)).toBeUndefined();
  });
});
