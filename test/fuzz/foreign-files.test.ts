/** What somebody else has made to be trusted: the configuration file of a clone, and backups. */
import { readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { readBackup } from "../../server/cli/backup/read-backup.ts";
import { checkSchemas } from "../../server/cli/backup/check-schema.ts";
import { sortSettings } from "../../server/cli/backup/foreign-settings.ts";
import { settingTrust } from "../../server/contract/process/setting-trust.ts";
import { configFileName } from "../../server/process/settings/config-file.ts";
import { resolveSettings } from "../../server/process/settings/read-settings.ts";
import { backupScene, nothing, signal } from "../support/app/backup-scene.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fuzz, refusesBy } from "./families.ts";
import { changedBytes, changedJson } from "./inputs/changes.ts";

const folder = temporaryFolder();
const scene = backupScene();
afterAll(() => {
  folder[Symbol.dispose]();
  scene[Symbol.dispose]();
});

const settings = changedJson(
  fc.constant({
    host: "0.0.0.0",
    log_level: "silent",
    identity_base_url: "https://them.example",
    cors_origins: ["https://them.example"],
    routes_file: "../../outside.json",
    models_dir: "models",
    payment_mch_id: "1",
    payment_merchant_key_file: "key.pem",
    json_indent: 2,
  }),
  Object.keys(settingTrust),
);

describe("settings that came with a clone or a backup:", () => {
  const shell = { HEARTH_IDENTITY_APP_SECRET: "mine", XDG_DATA_HOME: join(folder.path, "home") };

  fuzz("settings of clones", {
    inputs: settings.map((value) => JSON.stringify(value) ?? ""),
    read(text) {
      writeFileSync(join(folder.path, configFileName), text);
      const read = resolveSettings({}, shell, folder.path);
      expect([read.host, read.upstreams, read.update_url]).toEqual(["127.0.0.1", [], undefined]);
      expect(read.identity_base_url).toBeUndefined();
      for (const path of [read.routes_file, read.collections_dir, read.model])
        expect((path ?? folder.path).startsWith(folder.path)).toBe(true);
    },
    refuses: refusesBy("SettingsError"),
  });

  fuzz("settings of backups", {
    inputs: settings,
    read(values) {
      if (typeof values !== "object" || values === null) return;
      const { taken, leftAside } = sortSettings(values as Record<string, unknown>, {});
      for (const name of Object.keys(taken)) expect(settingTrust[name as keyof typeof settingTrust].does).toBe("none");
      expect(Object.keys(taken).length + leftAside.length).toBe(Object.keys(values).length);
    },
  });
});

describe("backups that were changed:", () => {
  let archive: Buffer;
  let database: Buffer;
  beforeAll(async () => {
    const data = await scene.newData();
    archive = readFileSync((await scene.backUp(data)).path);
    database = readFileSync(join(data, "hearth.db"));
  });
  const isNamed = (error: unknown) => error instanceof Error && error.message.length > 0;

  fuzz("archives of backups", {
    inputs: () =>
      fc.oneof(
        changedBytes(fc.constant(archive.subarray(-8_192))).map((end) => [
          Buffer.concat([archive.subarray(0, -8_192), end]),
          database,
        ]),
        changedBytes(fc.constant(database.subarray(0, 8_192)), {
          words: ["CREATE VIEW", "CREATE TRIGGER", "view", "trigger"],
        }).map((head) => [archive, Buffer.concat([head, database.subarray(8_192)])]),
      ),
    async read([tar = archive, sqlite = database]) {
      const file = join(folder.path, "changed.tar");
      writeFileSync(file, tar);
      writeFileSync(join(folder.path, "hearth.db"), sqlite);
      await using handle = await open(file);
      await readBackup(handle, { onProgress: nothing, signal });
      await checkSchemas(folder.path);
    },
    refuses: isNamed,
  });
});
