/** Folders of a clone whose files are links, pipes and swapped texts: none of them is read beyond the clone, and each is named. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectPathProblem } from "../../../server/process/settings/project-paths.ts";
import { resolveWithOrigins } from "../../../server/process/settings/read-settings.ts";
import { eventually } from "../../support/eventually.ts";
import { layers } from "../../support/model/model-registry.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { putManifest, putModel } from "../../support/model/stored-model.ts";
import { launchHearth, type Launched } from "../../support/process/launch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const secret = "what-lies-outside-the-clone";
const swapped = "Text in place of the one that was promised";
const ofLibrary = "registry.ollama.ai/library";

let folder: ReturnType<typeof temporaryFolder>;
const at = (...parts: string[]) => join(folder.path, ...parts);
const clone = (...parts: string[]) => at("clone", ...parts);
const outside = (...parts: string[]) => at("outside", ...parts);

function write(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
function pipe(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", [path]);
}
const schema = (description: string) =>
  JSON.stringify({ type: "object", description, properties: { a: { type: "string" } } });
const part = (number: number) =>
  randomGgufBytes({
    seed: number,
    extraMetadata: [
      { key: "split.no", type: "uint32", value: number },
      { key: "split.count", type: "uint32", value: 2 },
    ],
  });

/** A store of models with the tricks of its author. */
function makeStore(store: string): void {
  const manifest = (name: string) => join(store, "manifests", ofLibrary, name, "latest");
  const blob = (digest: string) => join(store, "blobs", digest.replace(":", "-"));
  const weights = (seed: number) => layers.model(randomGgufBytes({ seed }));
  putModel(store, `${ofLibrary}/good/latest`, [weights(1), layers.system("Be good")]);
  link("/etc/passwd", manifest("passwd"));
  link("/proc/self/environ", manifest("environ"));
  pipe(manifest("pipe"));
  putModel(outside("store"), `${ofLibrary}/foreign/latest`, [weights(2)]);
  link(outside("store", "manifests", ofLibrary), join(store, "manifests", "example.com", "linked-folder"));
  const digest = `sha256:${"../".repeat(12)}etc/passwd`;
  const layer = { mediaType: "application/vnd.ollama.image.system", digest, size: 1 };
  putManifest(
    store,
    `${ofLibrary}/dots/latest`,
    Buffer.from(JSON.stringify({ schemaVersion: 2, config: layer, layers: [layer] })),
  );
  const moveOut = (name: string, { digest: of }: { digest: string }) => {
    mkdirSync(outside("blobs"), { recursive: true });
    renameSync(blob(of), outside("blobs", name));
    symlinkSync(outside("blobs", name), blob(of));
  };
  const text = putModel(store, `${ofLibrary}/linked-text/latest`, [weights(3), layers.system(secret)]);
  moveOut("text", text.layers[1] ?? text.config);
  const far = putModel(store, `${ofLibrary}/linked-weights/latest`, [weights(4)]);
  moveOut("weights", far.layers[0] ?? far.config);
  const other = putModel(store, `${ofLibrary}/swapped-text/latest`, [weights(5), layers.system(swapped.toUpperCase())]);
  writeFileSync(blob(other.layers[1]?.digest ?? ""), swapped);
}

function makeClone(): void {
  write(
    clone("hearth.config.json"),
    JSON.stringify({ models_dir: "store", model: "weights", collections_dir: "schemas", routes_file: "routes.json" }),
  );
  makeStore(clone("store"));
  write(clone("weights", "whole.gguf"), randomGgufBytes({ seed: 6 }));
  link(write(outside("linked.gguf"), randomGgufBytes({ seed: 7 })), clone("weights", "linked.gguf"));
  pipe(clone("weights", "pipe.gguf"));
  write(clone("weights", "parts-00001-of-00002.gguf"), part(0));
  link(write(outside("second.gguf"), part(1)), clone("weights", "parts-00002-of-00002.gguf"));
  write(clone("schemas", "books.json"), schema("Books"));
  link(write(outside("leak.json"), schema(secret)), clone("schemas", "leaks.json"));
  link("/proc/self/environ", clone("schemas", "environs.json"));
  pipe(clone("schemas", "pipes.json"));
  write(clone("routes.json"), JSON.stringify({ routes: [{ method: "GET", path: "/hello", body: { says: "hello" } }] }));
}

const served = async (url: string | null) => {
  const { models } = (await (await fetch(`${String(url)}/api/tags`)).json()) as { models: { name: string }[] };
  return models
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("hearth-starter"))
    .toSorted();
};

describe.skipIf(process.platform === "win32")("a clone's folders", () => {
  let hearth: Launched;
  beforeAll(() => {
    folder = temporaryFolder();
    makeClone();
    hearth = launchHearth({ cwd: clone(), env: { HEARTH_CONSOLE_TOKEN: secret.padEnd(40, "x") } });
  });
  afterAll(async () => {
    await hearth[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it("serve the models that lie in them alone, and say of each other file why not", async () => {
    const { model } = await hearth.ready();
    expect(await served(model)).toEqual(["good:latest", "whole:latest"]);
    const refusals = [
      [clone("store/manifests", ofLibrary, "passwd/latest"), "leads out of"],
      [clone("store/manifests", ofLibrary, "environ/latest"), "leads out of"],
      [clone("store/manifests", ofLibrary, "pipe/latest"), "is no regular file"],
      [clone("store/manifests/example.com/linked-folder"), "leads out of"],
      [clone("store/manifests", ofLibrary, "dots/latest"), "no SHA-256 digest"],
      [clone("store/manifests", ofLibrary, "linked-text/latest"), "leads out of"],
      [clone("store/manifests", ofLibrary, "linked-weights/latest"), "leads out of"],
      [clone("store/manifests", ofLibrary, "swapped-text/latest"), "does not match its digest"],
      [clone("weights/linked.gguf"), "leads out of"],
      [clone("weights/pipe.gguf"), "is no regular file"],
      [clone("weights/parts-00001-of-00002.gguf"), "leads out of"],
    ] as const;
    await eventually(() => {
      const lines = hearth.outputSoFar().split("\n");
      const isSaid = ([file, why]: readonly [string, string]) =>
        lines.some((line) => line.includes(`${file} is not served`) && line.includes(why));
      expect(refusals.filter((one) => !isSaid(one))).toEqual([]);
    });
    const show = await fetch(`${String(model)}/api/show`, { method: "POST", body: '{"model":"linked-text"}' });
    expect(show.status).toBe(404);
  });

  it("refuse a model whose weights become a link after they were served, too", async () => {
    const { model } = await hearth.ready();
    const file = clone("weights/whole.gguf");
    renameSync(file, outside("whole.gguf"));
    symlinkSync(outside("whole.gguf"), file);
    expect(await served(model)).toEqual(["good:latest"]);
  });

  it("serve the collections that lie in them alone, also to the console", async () => {
    const { app, console } = await hearth.ready();
    const headers = { Authorization: `Bearer ${new URL(console).searchParams.get("token") ?? ""}` };
    const read = (name: string) => fetch(new URL(`api/collections/${name}/schema`, console), { headers });
    for (const name of ["leaks", "environs", "pipes"]) {
      const reply = await read(name);
      expect([name, reply.status, (await reply.text()).includes(secret)]).toEqual([name, 409, false]);
      expect((await fetch(`${app}/api/${name}`)).status).toBe(404);
    }
    expect((await read("books")).status).toBe(200);
    await hearth.prints(/leaks[.]json.*leads out of/);
    await hearth.prints(/environs[.]json.*leads out of/);
    await hearth.prints(/pipes[.]json.*is no regular file/);
  });

  it("keep a routes file that becomes a link out of service", async () => {
    const { app } = await hearth.ready();
    expect(await (await fetch(`${app}/hello`)).json()).toEqual({ says: "hello" });
    write(outside("routes.json"), JSON.stringify({ routes: [{ method: "GET", path: "/leak", body: { secret } }] }));
    rmSync(clone("routes.json"));
    symlinkSync(outside("routes.json"), clone("routes.json"));
    await hearth.prints(/routes[.]json.*leads out of/);
    await eventually(async () => expect((await fetch(`${app}/leak`)).status).toBe(404));
  });

  it("print nothing of what lies outside", () => {
    expect(hearth.outputSoFar()).not.toContain(secret);
    expect(hearth.outputSoFar()).not.toContain("root:");
  });
});

describe.skipIf(process.platform === "win32")("folders that a user names", () => {
  it("keep their links, but no text that was swapped", async () => {
    folder = temporaryFolder();
    try {
      makeClone();
      for (const name of ["pipe", "passwd", "environ"])
        rmSync(clone("store/manifests", ofLibrary, name), { recursive: true });
      const flags = ["--models-dir", clone("store"), "--collections-dir", clone("schemas"), "--log-level", "warn"];
      await using hearth = launchHearth({ flags });
      const { model, app } = await hearth.ready();
      expect(await served(model)).toEqual(["good:latest", "linked-text:latest", "linked-weights:latest"]);
      expect((await fetch(`${app}/api/leaks`)).status).not.toBe(404);
      await hearth.prints("does not match its digest");
      expect(readdirSync(clone("schemas"))).toContain("pipes.json");
    } finally {
      folder[Symbol.dispose]();
    }
  });
});

it.skipIf(process.platform === "win32")(
  "A file that a clone names is refused at each start of a service once it leads out",
  () => {
    using own = temporaryFolder();
    folder = own;
    write(clone("keys/merchant.pem"), "a key");
    write(clone("hearth.config.json"), '{"payment_merchant_key_file":"keys/merchant.pem","payment_version":"v3"}');
    const merchant = {
      payment_mch_id: "1",
      payment_app_id: "wx1",
      payment_api_v2_key: "k".repeat(32),
      payment_api_v3_key: "k".repeat(32),
      payment_merchant_serial: "AB",
    };
    const { settings, from } = resolveWithOrigins({ data_dir: at("data"), ...merchant }, {}, clone());
    expect(projectPathProblem(settings, from)).toBeUndefined();
    rmSync(clone("keys/merchant.pem"));
    symlinkSync(write(outside("id_rsa"), secret), clone("keys/merchant.pem"));
    expect(projectPathProblem(settings, from)).toMatch(/^payment_merchant_key_file: .* is outside the folder/);
    rmSync(clone("keys/merchant.pem"));
    pipe(clone("keys/merchant.pem"));
    expect(projectPathProblem(settings, from)).toMatch(/^payment_merchant_key_file: .* is not a file or folder/);
  },
);
