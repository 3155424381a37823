/** The folder of the user's files, changed while it is read. */
import { pbkdf2 } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { pino } from "pino";
import { expect, it } from "vitest";
import { UserFiles } from "../../../server/app/collections/user-files.ts";
import { EventBus } from "../../../server/events/event-bus.ts";
import type { RecordTransfer } from "../../../server/store/records/record-transfer.ts";
import { itemSchema } from "../../support/app/user-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("removes a collection whose folder appeared and vanished while the folder was read", async () => {
  using outer = temporaryFolder();
  const folder = join(outer.path, "collections");
  const files = new UserFiles({
    places: { folder, file: join(outer.path, "routes.json") },
    builtIn: [],
    routesOf: () => [],
    transfer: {} as RecordTransfer,
    chances: { random: () => 0, wait: () => Promise.resolve() },
    schemaDeadlineMs: 1000,
    bus: new EventBus(() => undefined),
    log: pino({ level: "silent" }),
  });
  await files.opened;
  // Reading a folder waits for one of the four threads that all of these occupy.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)("", "", 50_000, 32, "sha256"));
  const read = files.rescan();
  await Promise.resolve();
  mkdirSync(folder);
  writeFileSync(join(folder, "cats.json"), JSON.stringify(itemSchema({ name: { type: "string" } })));
  await read;
  rmSync(folder, { recursive: true });
  await Promise.all(busy);
  await expect.poll(() => files.definitions()).toEqual([]);
  await files.close();
});
