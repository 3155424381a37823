/** The model service on a disk that gets full: told in words, nothing half made, and all goes on when there is room. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { digestOf, layers, startRegistry } from "../../support/model/model-registry.ts";
import { startModelProcess } from "../../support/model/model-process.ts";
import { lines, refusal, type Wire } from "../../support/model/model-service.ts";
import { randomGgufBytes, writeRandomGguf } from "../../support/model/random-gguf.ts";
import { diskOf, hasSmallDisks, withSmallDisk } from "../../support/process/small-disk.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const gguf = randomGgufBytes({ name: "Pulled" });
const full = expect.stringMatching(/^the disk of the models is full: free space/) as string;

describe.runIf(hasSmallDisks)("a full disk", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let model: Awaited<ReturnType<typeof startModelProcess>>;
  let disk: ReturnType<typeof diskOf>;
  let isFull = false;

  beforeAll(async () => {
    folder = temporaryFolder();
    const place = join(folder.path, "disk");
    mkdirSync(place);
    registry = await startRegistry();
    const env = { HOME: folder.path, OLLAMA_MODELS: join(folder.path, "none") };
    model = await startModelProcess(join(place, "data"), env, (command) =>
      withSmallDisk(place, { kilobytes: 8_000 }, command),
    );
    disk = diskOf(model.pid, place);
  });
  afterEach(() => {
    registry.misbehave(() => false);
    if (isFull) makeRoom();
  });
  afterAll(async () => {
    await model[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  function fill(left?: number): void {
    disk.fill(left);
    isFull = true;
  }
  function makeRoom(): void {
    disk.makeRoom();
    isFull = false;
  }
  const post = (path: string, body: object) =>
    fetch(`${model.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  const last = async (reply: Promise<Response>): Promise<Wire> => (await lines(await reply)).at(-1);
  const models = (...names: string[]) => disk.at("data", "models", ...names);
  const blobs = () => (existsSync(models("blobs")) ? readdirSync(models("blobs")).sort() : []);
  async function names(): Promise<string[]> {
    const reply = (await (await fetch(`${model.url}/api/tags`)).json()) as { models: Wire[] };
    return reply.models.map(({ name }) => String(name));
  }
  const pull = (name: string, stream = true) => post("/api/pull", { model: name, insecure: true, stream });

  it("ends a pull with a line that says so; the next one goes on from there", async () => {
    const { name, digests } = registry.publish("m", [layers.model(gguf)]);
    registry.misbehave(({ at, url, headers }) => {
      if (at === "cdn" && url.endsWith(digests[0] ?? "") && headers.range !== "bytes=0-0" && !isFull) fill(100_000);
      return false;
    });
    expect(await last(pull(name))).toEqual({ error: full });
    expect(await names()).not.toContain(name);
    makeRoom();
    registry.misbehave(() => false);
    expect(await last(pull(name))).toEqual({ status: "success" });
    expect(await names()).toContain(name);
    expect(blobs()).toEqual(digests.map((digest) => digest.replace(":", "-")).sort());
  });

  it("leaves no half key behind, with which no registry could be asked ever again", async () => {
    registry.behave({ token: "t" });
    const { name } = registry.publish("private", [layers.model(gguf), layers.system("private")]);
    fill();
    expect(await refusal(await pull(name, false))).toEqual([500, full]);
    makeRoom();
    expect(await (await pull(name, false)).json()).toEqual({ status: "success" });
    registry.behave({ token: undefined });
  });

  it("refuses a blob and keeps nothing of it", async () => {
    const bytes = new Uint8Array(6_000_000).fill(7);
    const upload = () =>
      fetch(`${model.url}/api/blobs/${digestOf(Buffer.from(bytes))}`, { method: "POST", body: bytes });
    const before = blobs();
    fill(1_000_000);
    expect(await refusal(await upload())).toEqual([500, full]);
    expect(blobs()).toEqual(before);
    makeRoom();
    expect((await upload()).status).toBe(201);
  });

  it("ends a creation with a line that says so, and takes back what it had copied", async () => {
    writeRandomGguf(models("plain.gguf"), { name: "Plain" });
    const before = blobs();
    const create = () => post("/api/create", { model: "made", from: "plain", system: "Be brief." });
    fill(randomGgufBytes({ name: "Plain" }).length + 4096);
    expect(await last(create())).toEqual({ error: full });
    expect([blobs(), await names()]).toEqual([before, expect.not.arrayContaining(["made:latest"])]);
    makeRoom();
    expect(await last(create())).toEqual({ status: "success" });
    expect(await names()).toContain("made:latest");
  });

  it("refuses a copy, which is not there then", async () => {
    const copy = () => post("/api/copy", { source: "made", destination: "copied" });
    fill();
    expect(await refusal(await copy())).toEqual([500, full]);
    expect(await names()).not.toContain("copied:latest");
    makeRoom();
    expect((await copy()).status).toBe(200);
    expect(await names()).toContain("copied:latest");
  });
});
