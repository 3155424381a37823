/** Registries and lines that fail: each pull ends well or with a clear text, and never with wrong bytes in the store. */
import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestOf, layers, type RegistryRequest } from "../../support/model/model-registry.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { freePort } from "../../support/process/free-port.ts";

const gguf = randomGgufBytes({ name: "Pulled" });
const success = { status: "success" };

let scene: PullScene;
let model: { name: string; digests: string[] };
beforeEach(async () => {
  scene = await startPullScene();
  model = scene.registry.publish("m", [layers.model(gguf)]);
});
afterEach(() => scene[Symbol.asyncDispose]());

/** The bytes of the model that a request to where they lie asks for; undefined for other requests. */
function partOf({ at, url, headers }: RegistryRequest, digest = model.digests[0] ?? ""): [number, number] | undefined {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  return at === "cdn" && url.endsWith(digest) && to !== "0" && from !== undefined
    ? [Number(from), Number(to)]
    : undefined;
}
const partHead = ([from, to]: readonly [number, number]) => ({
  "Content-Range": `bytes ${String(from)}-${String(to)}/${String(gguf.length)}`,
  "Content-Length": to - from + 1,
});

describe("a pull goes on", () => {
  it("where the connection was cut in the middle of a part, without asking for what it has", async () => {
    let cuts = 3;
    scene.registry.misbehave((request, res) => {
      const part = partOf(request);
      if (part?.[1] !== 99_999 || cuts === 0) return false;
      cuts--;
      res.writeHead(206, partHead(part));
      res.write(gguf.subarray(part[0], part[0] + 10_000), () => res.destroy());
      return true;
    });
    expect(await scene.outcome(model.name)).toEqual(success);
    expect(scene.readBlob(model.digests[0])).toEqual(gguf);
    const asked = scene.registry.partRequests(model.digests[0] ?? "").map(({ headers }) => headers.range);
    expect(asked.filter((range) => range?.endsWith("-99999") === true).length).toBeGreaterThan(1);
  });

  it.each([429, 500, 503])("after an answer of %d, with growing pauses", async (status) => {
    const failures = new Map<string, number>();
    scene.registry.misbehave(({ url, headers }, res) => {
      const key = `${url} ${String(headers.range)}`;
      const before = failures.get(key) ?? 0;
      if (before === 2) return false;
      failures.set(key, before + 1);
      res.writeHead(status).end("busy");
      return true;
    });
    const lines = await scene.pullLines(model.name);
    expect(lines.at(-1)).toEqual(success);
    expect(scene.pauses.slice(0, 2)).toEqual([1000, 2000]);
    expect(lines.slice(0, 3)).toEqual([
      { status: "pulling manifest" },
      { status: `${String(status)}: busy: try 2 of 6 in 1 s` },
      { status: `${String(status)}: busy: try 3 of 6 in 2 s` },
    ]);
  });

  it("after as long as Retry-After says, but never longer than a minute", async () => {
    const waits = ["7", "86400"];
    scene.registry.misbehave((_request, res) => {
      const wait = waits.shift();
      if (wait === undefined) return false;
      res.writeHead(429, { "Retry-After": wait }).end();
      return true;
    });
    expect(await scene.outcome(model.name)).toEqual(success);
    expect(scene.pauses).toEqual([7000, 60_000]);
  });

  it("when the connection stalls", async () => {
    await using impatient = await startPullScene({ registry: { tuning: { stallMs: 300 } } });
    const { name, digests } = impatient.registry.publish("m", [layers.model(gguf)]);
    let stalls = 2;
    impatient.registry.misbehave((request, res) => {
      const part = partOf(request, digests[0]);
      if (part === undefined || stalls === 0) return false;
      stalls--;
      res.writeHead(206, partHead(part));
      res.write(gguf.subarray(part[0], part[0] + 10));
      return true;
    });
    expect(await impatient.outcome(name)).toEqual(success);
    expect(impatient.readBlob(digests[0])).toEqual(gguf);
  });

  it("by a new address when the one that the registry gave has expired", async () => {
    let refusals = 3;
    scene.registry.misbehave((request, res) => {
      if (partOf(request) === undefined || refusals === 0) return false;
      refusals--;
      res.writeHead(403).end("expired");
      return true;
    });
    expect(await scene.outcome(model.name)).toEqual(success);
    const places = scene.registry.requests.filter(
      ({ at, url }) => at === "registry" && url.endsWith(model.digests[0] ?? ""),
    );
    expect(places.length).toBeGreaterThan(1);
  });

  it.each([
    ["serves blobs itself, with 200 instead of a redirect", { redirect: false }],
    ["knows no ranges", { redirect: false, ranges: false }],
    ["redirects to a place that knows no ranges", { ranges: false }],
  ])("with a registry that %s", async (_what, behaviour) => {
    scene.registry.behave(behaviour);
    expect(await scene.outcome(model.name)).toEqual(success);
    expect(scene.readBlob(model.digests[0])).toEqual(gguf);
  });

  it("through redirects of the manifest, as some hosts have them", async () => {
    const other = "/elsewhere/manifest";
    const [path = "", bytes = Buffer.alloc(0)] = [...scene.registry.manifests][0] ?? [];
    scene.registry.manifests.delete(path);
    scene.registry.manifests.set(other, bytes);
    scene.registry.misbehave(({ url }, res) => {
      if (url !== path) return false;
      res.writeHead(302, { Location: other }).end();
      return true;
    });
    expect(await scene.outcome(model.name)).toEqual(success);
  });
});

describe("a pull tells of its retries while they happen", () => {
  it.each([
    ["the manifest", ({ url }: RegistryRequest) => url.includes("/manifests/")],
    ["a blob", (request: RegistryRequest) => partOf(request) !== undefined],
  ])("at %s: the line is there before the next try", async (_what, isMeant) => {
    const told = Promise.withResolvers<void>();
    await using patient = await startPullScene({ registry: { tuning: { delay: () => told.promise } } });
    const { name, digests } = patient.registry.publish("m", [layers.model(gguf)]);
    model = { name, digests };
    let isBusy = true;
    patient.registry.misbehave((request, res) => {
      if (!isMeant(request) || !isBusy) return false;
      isBusy = false;
      res.writeHead(503).end("busy");
      return true;
    });
    const reply = await patient.pull(name);
    let text = "";
    for await (const piece of (reply.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (text.includes("503: busy: try 2 of 6")) told.resolve();
    }
    expect(text).toContain('{"status":"success"}');
  });
});

describe("a pull fails clearly", () => {
  const failure = async () => String((await scene.outcome(model.name)).error);
  const nothingStored = async () => {
    expect(await scene.names()).toEqual(["hearth-starter:latest"]);
    expect(existsSync(scene.blobFile(model.digests[0]))).toBe(false);
  };

  it("when the bytes are not those of the digest, and the next one begins anew and succeeds", async () => {
    const [digest = ""] = model.digests;
    const wrong = Buffer.from(gguf);
    wrong[400_000] = (wrong[400_000] ?? 0) ^ 1;
    scene.registry.blobs.set(digest, wrong);
    expect(await failure()).toBe(
      `digest mismatch, file must be downloaded again: want ${digest}, got ${digestOf(wrong)}`,
    );
    await nothingStored();
    expect(scene.files().filter((file) => file.includes("partial"))).toEqual([]);
    scene.registry.blobs.set(digest, gguf);
    expect(await scene.outcome(model.name)).toEqual(success);
  });

  it("when a part fails six times, and keeps what came for the next one", async () => {
    scene.registry.misbehave((request, res) => {
      if (partOf(request)?.[0] !== 300_000) return false;
      res.destroy();
      return true;
    });
    expect(await failure()).toMatch(/^the connection to 127\.0\.0\.1:\d+ ended early$/);
    await nothingStored();
    scene.registry.misbehave(() => false);
    scene.registry.requests.length = 0;
    expect(await scene.outcome(model.name)).toEqual(success);
    const ranges = scene.registry.partRequests(model.digests[0] ?? "").map(({ headers }) => headers.range);
    expect(ranges).toContain("bytes=300000-349999");
    expect(ranges).not.toContain("bytes=0-49999");
    expect(scene.readBlob(model.digests[0])).toEqual(gguf);
  });

  it.each([
    ["a layer longer than it is", (size: number) => size + 1],
    ["a layer shorter than it is", (size: number) => size - 1],
  ])("when the manifest says %s", async (_what, lie) => {
    model = scene.registry.publish("lie", [layers.model(gguf)], {
      change: (manifest) => ({
        ...manifest,
        layers: [{ ...manifest.layers[0], size: lie(manifest.layers[0].size) }],
      }),
    });
    expect(await failure()).toMatch(/bytes at the registry, but its manifest says/);
    await nothingStored();
  });

  it("when the manifest claims more than any disk has", async () => {
    model = scene.registry.publish("lie", [layers.model(gguf)], {
      change: (manifest) => ({ ...manifest, layers: [{ ...manifest.layers[0], size: 2 ** 45 }] }),
    });
    expect(await failure()).toMatch(/^not enough disk space: .* needs 35184\.4 GB more/);
  });

  it.each([
    ["a digest that climbs out of the store", "sha256:../../../../tmp/evil"],
    ["a digest with a folder in it", `sha256:${"a".repeat(32)}/${"b".repeat(31)}`],
    ["no digest", ""],
  ])("when the manifest has %s", async (_what, digest) => {
    model = scene.registry.publish("lie", [layers.model(gguf)], {
      change: (manifest) => ({ ...manifest, layers: [{ ...manifest.layers[0], digest }] }),
    });
    expect(await failure()).toMatch(/^pull model manifest: the manifest is not valid: layers\.0\.digest/);
    await nothingStored();
  });

  it.each([
    ["no JSON", "<html>", "pull model manifest: the manifest is not valid JSON"],
    ["an index of several platforms", '{"schemaVersion":2,"manifests":[]}', "pull model manifest: the manifest is not"],
  ])("when the manifest is %s", async (_what, text, expected) => {
    const [path = ""] = scene.registry.manifests.keys();
    scene.registry.manifests.set(path, Buffer.from(text));
    expect(await failure()).toContain(expected);
  });

  it("with the registry's own words when it refuses", async () => {
    scene.registry.misbehave((_request, res) => {
      res.writeHead(400).end('{"error":"no such quantisation"}');
      return true;
    });
    expect(await failure()).toBe('pull model manifest: 400: {"error":"no such quantisation"}');
  });

  it.each([
    ["a redirect in a circle", "/v2/library/m/manifests/latest", /redirects too often/],
    ["a redirect to a file", "file:///etc/passwd", /redirects to file:/],
  ])("on %s", async (_what, location, text) => {
    scene.registry.misbehave((_request, res) => {
      res.writeHead(302, { Location: location }).end();
      return true;
    });
    expect(await failure()).toMatch(text);
  });

  it("at once when nobody listens at the registry", async () => {
    model = { name: `127.0.0.1:${String(await freePort())}/library/m`, digests: [] };
    expect(await failure()).toMatch(
      /^pull model manifest: 127\.0\.0\.1:\d+ refuses the connection: nothing listens there$/,
    );
    expect(scene.pauses).toEqual([]);
  });
});
