import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type * as Kit from "../../../server/kit/start-hearth.ts";
import { routesFile } from "../../support/app/code-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const built = pathToFileURL(join(import.meta.dirname, "../../../dist/kit.js")).href;
const { startHearth } = (await import(built)) as typeof Kit;

function fileOf(text: string) {
  const folder = temporaryFolder();
  const file = join(folder.path, "hearth.routes.ts");
  writeFileSync(file, text);
  return { file, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

it("startHearth serves the code of routes, whose state snapshots, restores and resets know", async () => {
  using code = fileOf(routesFile('get("/next", () => (state.n = (state.n ?? 0) + 1));'));
  await using hearth = await startHearth({ model: false, routes: code.file });
  const next = async () => (await fetch(`${hearth.urls.app}/next`)).json();
  expect([await next(), await next()]).toEqual([1, 2]);
  const snapshot = await hearth.snapshot();
  expect(await next()).toBe(3);
  await hearth.restore(snapshot);
  expect(await next()).toBe(3);
  await hearth.reset();
  expect(await next()).toBe(1);
});

it("startHearth names file and line of code that cannot be served", async () => {
  using code = fileOf("\nenum A { B }");
  await expect(startHearth({ model: false, routes: code.file })).rejects.toThrow(
    /hearth\.routes\.ts:2:1: .*enum is not supported/,
  );
});
