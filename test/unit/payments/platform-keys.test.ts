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

describe("a rotation", () => {
  it("makes the certificate that signs from then on, also when it is asked for or told of meanwhile", async () => {
    const { keys, others, meanwhile } = await openKeys();
    const before = await keys.certificate();
    meanwhile.do = () => {
      others.tell();
      meanwhile.do = () => undefined;
      void keys.certificate();
    };
    await keys.rotate();
    const [newest, older] = await keys.certificates();
    expect([newest?.serial, older?.serial]).toEqual([(await keys.certificate()).serial, before.serial]);
  });

  it("leaves the public key, which is made once, as it is", async () => {
    const { keys } = await openKeys();
    const [one, other] = await Promise.all([keys.publicKey(), keys.publicKey(), keys.rotate()]);
    expect([one.serial, other.serial]).toEqual([other.serial, (await keys.publicKey()).serial]);
  });
});
