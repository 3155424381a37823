/** The keys of the simulated platform, while another simulator changes them. */
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Keys } from "../../../server/provider/payments/keys/keys.ts";
import { keysMigrations, type KeysTables } from "../../../server/provider/payments/keys/keys-table.ts";
import type { Instances } from "../../../server/store/database.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

async function openKeys() {
  const folder = temporaryFolder();
  const { db, close } = await openDatabase<KeysTables>({
    file: join(folder.path, "provider.db"),
    migrations: keysMigrations,
  });
  onTestFinished(async () => {
    await close();
    folder[Symbol.dispose]();
  });
  const others = { tell: () => undefined as void };
  const instances: Pick<Instances, "notify" | "subscribe"> = {
    notify: async () => undefined,
    subscribe: (_topic, listen) => void (others.tell = listen),
  };
  /** Happens while a certificate is made. */
  const meanwhile = { do: () => undefined as void };
  const keys = new Keys({
    db,
    now: () => (meanwhile.do(), Date.parse("2026-01-01T12:00:00+08:00")),
    certificateFile: join(folder.path, "platform.pem"),
    instances,
  });
  return { keys, others, meanwhile };
}

describe("a platform that signs by a public key", () => {
  it("goes on with it after a rotation during which another simulator has told of the keys", async () => {
    const { keys, others, meanwhile } = await openKeys();
    const { serial } = await keys.use("public_key");
    meanwhile.do = () => others.tell();
    const rotated = await keys.rotate();
    expect([rotated.serial, (await keys.platform()).serial]).toEqual([serial, serial]);
  });

  it("goes on with it when it is rotated in the moment in which the public key is chosen", async () => {
    const { keys } = await openKeys();
    await keys.platform();
    const [chosen] = await Promise.all([keys.use("public_key"), keys.rotate()]);
    expect((await keys.platform()).serial).toBe(chosen.serial);
  });
});
