/** The snapshot from which instances start, where npm has installed the package: there, no other test makes one. */
import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as Kit from "../../../server/kit/start-hearth.ts";
import { installPackage } from "../../support/process/npm-package.ts";
import { commandLineOf, descendants } from "../../support/process/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const book = { type: "object", properties: { isbn: { type: "string", pattern: "^[0-9]+$" } } };

describe.runIf(process.platform === "linux")("an instance of the installed package", () => {
  const folder = temporaryFolder();
  let cache: string;
  let kit: typeof Kit;
  beforeAll(async () => {
    const project = await installPackage(folder.path);
    cache = join(project, "node_modules/.cache/hearthkit");
    kit = (await import(pathToFileURL(join(project, "node_modules/hearthkit/dist/kit.js")).href)) as typeof Kit;
  });
  afterAll(() => folder[Symbol.dispose]());
  const snapshots = () => globSync("*.snapshot", { cwd: cache }).map((name) => join(cache, name));

  /** Starts an instance, and uses code that is loaded when it is first needed. */
  async function live() {
    await using hearth = await kit.startHearth({ model: false, collections: { books: book } });
    const ada = await hearth.phone("ada");
    const order = await ada.request<{ data: object }>("POST", "/api/orders", { description: "Tea", amount: 199 });
    const paid = await ada.pay(order.body.data);
    const page = await fetch(`${hearth.urls.app}/swagger`);
    const statuses = [
      order.status,
      page.status,
      (await fetch(`${hearth.urls.app}/swagger/docs/v1`)).status,
      (await fetch(hearth.urls.console)).status,
      (await ada.upload("a.txt", "text")).status,
      (await ada.request("POST", "/api/books", { isbn: "12" })).status,
      (await ada.request("POST", "/api/books", { isbn: "x" })).status,
    ];
    const title = /<title>(.*)<\/title>/.exec(await page.text())?.[1];
    const command = descendants(process.pid)
      .map(commandLineOf)
      .find((line) => line.includes("instance.js"));
    return { answers: { statuses, paid, title }, isFromSnapshot: command?.includes("--snapshot-blob") };
  }

  it("has a snapshot made, from which the next one starts and answers the same", async () => {
    const first = await live();
    expect(first.isFromSnapshot).toBe(false);
    // The page of the description, the description, the console.
    expect(first.answers.statuses.slice(1, 4)).toEqual([200, 200, 200]);
    expect(first.answers.paid).toEqual({ errMsg: "requestPayment:ok" });
    await expect.poll(snapshots, { timeout: 120_000 }).toHaveLength(1);
    expect(await live()).toEqual({ answers: first.answers, isFromSnapshot: true });
  });

  it("runs its modules where Node refuses the snapshot", async () => {
    const [file = "", ...others] = snapshots();
    expect(others).toEqual([]);
    writeFileSync(file, "made by another Node");
    expect((await live()).isFromSnapshot).toBe(false);
  });
});
