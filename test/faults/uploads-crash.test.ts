/** Kills the application server in the middle of uploads and looks at what a new one finds. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { settingsSchema } from "../../server/contract/settings.ts";
import { settingsForChild } from "../../server/process/read-settings.ts";
import { zipBytes } from "../support/files.ts";
import { plainEnvironment } from "../support/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const entry = join(import.meta.dirname, "../../server/main.ts");
const consoleToken = "crash-test";
const authorized = { Authorization: `Bearer ${consoleToken}` };

async function startApp(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const settings = settingsSchema.parse({ data_dir: dataDir, app_port: 0, provider_port: 0, log_level: "silent" });
  const child = fork(entry, {
    env: { ...plainEnvironment(), ...settingsForChild(settings), HEARTH_CONSOLE_TOKEN: consoleToken },
  });
  const [message] = (await once(child, "message")) as [{ type: string; urls: { app: string } }];
  expect(message.type).toBe("ready");
  return { child, url: message.urls.app };
}
async function kill(child: ChildProcess) {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("kill -9 in the middle of 50 uploads", () => {
  it("leaves no row without its file and no file without its row after a restart, and what was answered is there", async () => {
    using folder = temporaryFolder();
    const first = await startApp(folder.path);
    const tokens = await fetch(`${first.url}/console/api/tokens`, { method: "POST", headers: authorized });
    const { access_token } = (await tokens.json()) as { access_token: string };
    const confirmed: string[] = [];
    const uploads = Array.from({ length: 50 }, async (_, i) => {
      const form = new FormData();
      const name = `file-${String(i)}.zip`;
      form.append("[]", new File([zipBytes({ [name]: name.repeat(20_000) })], name));
      const headers = { Authorization: `Bearer ${access_token}` };
      const response = await fetch(`${first.url}/api/uploads`, { method: "POST", body: form, headers });
      if (response.status === 201) confirmed.push(name);
    });
    // As soon as some are through, while the others are at every stage of their way.
    const settled = Promise.allSettled(uploads);
    while (confirmed.length < 5) await wait(1);
    await kill(first.child);
    await settled;

    const second = await startApp(folder.path);
    const list = await fetch(`${second.url}/console/api/uploads?limit=100`, { headers: authorized });
    const { uploads: rows } = (await list.json()) as {
      uploads: { id: number; file_name: string; sha256: string; size: number }[];
    };
    const files = readdirSync(join(folder.path, "uploads"), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ name }) => name);
    expect(files.sort()).toEqual(rows.map(({ sha256 }) => sha256).sort());
    expect(rows.map(({ file_name }) => file_name)).toEqual(expect.arrayContaining(confirmed));
    for (const { id, size } of rows) {
      const content = await fetch(`${second.url}/console/api/uploads/${String(id)}/content`, { headers: authorized });
      expect((await content.arrayBuffer()).byteLength).toBe(size);
    }
    await kill(second.child);
  });
});
