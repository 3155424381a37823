import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findManifest } from "../../../server/model/models/create/base-model.ts";
import { DraftWrites } from "../../../server/model/models/library/draft-writes.ts";
import { nameOfFile, parseModelName } from "../../../server/model/models/library/model-name.ts";
import { openStore } from "../../../server/model/models/library/store.ts";
import { createStoredModels } from "../../../server/model/models/library/stored-model.ts";
import { StoreWrites } from "../../../server/model/models/library/store-writes.ts";
import { layers } from "../../support/model/model-registry.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { putModel } from "../../support/model/stored-model.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const gguf = randomGgufBytes({ name: "Stored" });
const library = "registry.ollama.ai/library";
const named = (text: string) => parseModelName(text) ?? nameOfFile(text);

let folder: ReturnType<typeof temporaryFolder>;
let ollama: string;
beforeEach(() => {
  folder = temporaryFolder();
  ollama = join(folder.path, "ollama");
});
afterEach(() => folder[Symbol.dispose]());

describe("our own store", () => {
  it("removes at the next start what a crash left behind, but nothing young, named or half pulled", async () => {
    const { layers: stored } = putModel(ollama, `${library}/good/latest`, [layers.model(gguf)]);
    const blobs = join(ollama, "blobs");
    const kept = [String(stored[0]?.digest).replace(":", "-")];
    const old = ["b", "c"].map((digit) => `sha256-${digit.repeat(64)}`);
    const [partial, young] = [`sha256-${"d".repeat(64)}-partial`, `sha256-${"e".repeat(64)}`];
    for (const file of [...old, partial, young, ".hearth-draft"]) writeFileSync(join(blobs, file), "x");
    const hours = new Date(Date.now() - 2 * 3_600_000);
    for (const file of readdirSync(blobs)) if (file !== young) utimesSync(join(blobs, file), hours, hours);
    await new StoreWrites(openStore(ollama)).tidy(Date.now());
    expect(readdirSync(blobs)).toEqual(expect.arrayContaining([...kept, partial, young]));
    expect(readdirSync(blobs)).toHaveLength(4);
  });

  it("keeps a blob that is held until it is released", async () => {
    const writes = new StoreWrites(openStore(ollama));
    const { layers: stored } = putModel(ollama, `${library}/x/latest`, [layers.model(gguf)]);
    const digests = stored.map(({ digest }) => digest);
    rmSync(join(ollama, "manifests"), { recursive: true });
    const held = await writes.hold(digests);
    await writes.prune(digests);
    expect(existsSync(writes.store.blobPath(digests[0] ?? "sha256:"))).toBe(true);
    held[Symbol.dispose]();
    await writes.prune([]);
    expect(existsSync(writes.store.blobPath(digests[0] ?? "sha256:"))).toBe(false);
  });

  it("keeps a blob that is put while others are pruned, until what put it is done with it", async () => {
    const store = openStore(ollama);
    const puts = Promise.withResolvers<void>();
    const blobSize: typeof store.blobSize = async (digest) => {
      const size = await store.blobSize(digest);
      puts.resolve();
      return size;
    };
    const writes = new StoreWrites({ ...store, blobSize });
    const content = async function* () {
      yield gguf;
    };
    const { digest } = await new StoreWrites(store).putBlob(content());
    await using draft = new DraftWrites(writes);
    const put = draft.putBlob(content());
    await puts.promise; // it is there already
    await writes.prune([digest]);
    expect((await put).existed).toBe(true);
    expect(existsSync(store.blobPath(digest))).toBe(true);
    await draft[Symbol.asyncDispose]();
    expect(existsSync(store.blobPath(digest))).toBe(false);
  });

  it("removes a manifest once, and says that there is none any more", async () => {
    const writes = new StoreWrites(openStore(ollama));
    const { layers: stored } = putModel(ollama, `${library}/x/latest`, [layers.model(gguf)]);
    const removed = await Promise.all([writes.removeManifest(named("x")), writes.removeManifest(named("x"))]);
    expect(removed.map((digests) => digests?.length)).toEqual([stored.length + 1, undefined]);
  });

  it("holds blobs once a removal under way has ended: what is seen of them then stays", async () => {
    const [removing, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const rm = async (path: string) => {
      removing.resolve();
      await mayEnd.promise;
      rmSync(path, { force: true });
    };
    const writes = new StoreWrites(openStore(ollama), { platform: "linux", rm });
    const [layer] = putModel(ollama, `${library}/x/latest`, [layers.model(gguf)]).layers;
    const { digest } = layer ?? { digest: "sha256:" };
    const order: string[] = [];
    const pruned = writes.prune((await writes.removeManifest(named("x"))) ?? []).then(() => order.push("removed"));
    await removing.promise;
    const held = Promise.resolve(writes.hold([digest])).then(() => order.push("held"));
    mayEnd.resolve();
    await Promise.all([pruned, held]);
    expect(order).toEqual(["removed", "held"]);
  });

  it("removes blobs that are in use, as Windows refuses it, once they are not", async () => {
    let isInUse = true;
    const rm = async (path: string) => {
      if (isInUse) throw Object.assign(new Error("EPERM: operation not permitted, unlink"), { code: "EPERM" });
      rmSync(path, { force: true });
    };
    const writes = new StoreWrites(openStore(ollama), { platform: "win32", rm });
    const { layers: stored } = putModel(ollama, `${library}/x/latest`, [layers.model(gguf)]);
    const blobs = () => stored.filter(({ digest }) => existsSync(writes.store.blobPath(digest)));
    await writes.prune((await writes.removeManifest(named("x"))) ?? []);
    expect(blobs()).toEqual(stored);
    isInUse = false;
    await writes.prune([]);
    expect(blobs()).toEqual([]);
  });

  it("keeps the blobs of a manifest that is written while others are pruned", async () => {
    const store = openStore(ollama);
    const isWritten = Promise.withResolvers<void>();
    // Between what is named and what is removed there is time for the other one.
    const names = async () => {
      const found = await store.names();
      await Promise.race([isWritten.promise, wait(300)]);
      return found;
    };
    const writes = new StoreWrites({ ...store, names });
    const { layers: stored } = putModel(ollama, `${library}/x/latest`, [layers.model(gguf)]);
    const digests = stored.map(({ digest }) => digest);
    const manifest = readFileSync(join(ollama, "manifests", library, "x/latest"));
    const held = await writes.hold(digests);
    const pruned = writes.prune((await writes.removeManifest(named("x"))) ?? []);
    await writes.writeManifest(named("y"), manifest);
    held[Symbol.dispose]();
    isWritten.resolve();
    await pruned;
    expect(existsSync(store.blobPath(digests[0] ?? "sha256:"))).toBe(true);
  });

  it("prunes nothing while a manifest cannot be read", async () => {
    const { layers: stored } = putModel(ollama, `${library}/x/latest`, [layers.model(gguf)]);
    symlinkSync("loop", join(ollama, "manifests", library, "x/loop"));
    const writes = new StoreWrites(openStore(ollama));
    await expect(writes.prune(stored.map(({ digest }) => digest))).rejects.toThrow(/ELOOP/);
  });

  it("makes no model of one that was found, and has gone since", async () => {
    const store = openStore(ollama);
    putModel(ollama, `${library}/x/latest`, [layers.model(gguf)]);
    const stored = { name: named("x"), path: join(ollama, "manifests", library, "x/latest") };
    const model = await createStoredModels(store, (_path, reason) => expect.fail(reason)).inspect(stored);
    rmSync(stored.path);
    await expect(findManifest([store], model ?? expect.fail())).rejects.toMatchObject({ status: 404 });
  });
});
