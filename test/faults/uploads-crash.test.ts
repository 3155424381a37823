/** Kills the application server in the middle of uploads and looks at what a new one finds. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { zipBytes } from "../support/files.ts";
import { forkApp } from "../support/process/forked-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("kill -9 in the middle of 50 uploads", () => {
  it("leaves no row without its file and no file without its row after a restart, and what was answered is there", async () => {
    using folder = temporaryFolder();
    await using first = await forkApp(folder.path);
    const confirmed: string[] = [];
    const uploads = Array.from({ length: 50 }, async (_, i) => {
      const name = `file-${String(i)}.zip`;
      const response = await first.upload(name, zipBytes({ [name]: name.repeat(20_000) }));
      if (response.status === 201) confirmed.push(name);
    });
    // As soon as some are through, while the others are at every stage of their way.
    const settled = Promise.allSettled(uploads);
    while (confirmed.length < 5) await wait(1);
    await first.kill();
    await settled;

    await using second = await forkApp(folder.path);
    const { uploads: rows } = (await (await second.console("/uploads?limit=100")).json()) as {
      uploads: { id: number; file_name: string; sha256: string; size: number }[];
    };
    const files = readdirSync(join(folder.path, "uploads"), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ name }) => name);
    expect(files.sort()).toEqual(rows.map(({ sha256 }) => sha256).sort());
    expect(rows.map(({ file_name }) => file_name)).toEqual(expect.arrayContaining(confirmed));
    for (const { id, size } of rows) {
      const content = await second.console(`/uploads/${String(id)}/content`);
      expect((await content.arrayBuffer()).byteLength).toBe(size);
    }
  });
});
