/** Kills the application server in the middle of uploads to a bucket and looks at what a new one finds. */
import { expect, it } from "vitest";
import { largePng, zipBytes } from "../support/files.ts";
import { forkApp } from "../support/process/forked-app.ts";
import { startS3Server } from "../support/store/s3-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("kill -9 in the middle of uploads to a bucket leaves no part, and no object without its row, after a restart", async () => {
  using folder = temporaryFolder();
  await using store = await startS3Server();
  await using first = await forkApp(folder.path, store.settings);
  const confirmed: string[] = [];
  const send = async (name: string, content: Uint8Array<ArrayBuffer>) => {
    if ((await first.upload(name, content)).status === 201) confirmed.push(name);
  };
  await send("before.zip", zipBytes({ "a.txt": "a" }));
  // The large one does not come to its end: the store has its first part, and does not answer the second.
  const { promise: killed, resolve: release } = Promise.withResolvers<void>();
  store.hold(/partNumber=2/, killed);
  const large = largePng(16_000_000);
  const sent = Promise.all([send("large.png", large), send("small.zip", zipBytes({ "b.txt": "b" }))]);
  const held = expect.poll(() => store.requests.some((line) => line.includes("partNumber=2"))).toBe(true);
  await Promise.race([held, sent]);
  await first.kill();
  release();
  await expect(sent).rejects.toThrow();
  expect((await store.openUploads()).length).toBeGreaterThan(0);

  await using second = await forkApp(folder.path, store.settings);
  const { uploads: rows } = (await (await second.console("/uploads?limit=100")).json()) as {
    uploads: { id: number; file_name: string; sha256: string; size: number }[];
  };
  expect(rows.map(({ file_name }) => file_name)).toEqual(expect.arrayContaining(confirmed));
  await expect.poll(() => store.openUploads()).toEqual([]);
  const named = rows.map(({ sha256 }) => `${sha256.slice(0, 2)}/${sha256}`).sort();
  await expect.poll(() => store.objects()).toEqual(named);
  for (const { id, size } of rows) {
    const content = await second.console(`/uploads/${String(id)}/content`);
    expect((await content.arrayBuffer()).byteLength).toBe(size);
  }
});
