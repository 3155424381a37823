/** Replies that bring something else than was asked for: another page, another range, a redirect. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layers, type RegistryRequest } from "../../support/model/model-registry.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";

const gguf = randomGgufBytes({ name: "Pulled" });
const success = { status: "success" };

let scene: PullScene;
let model: { name: string; digests: string[] };
beforeEach(async () => {
  scene = await startPullScene();
  model = scene.registry.publish("m", [layers.model(gguf)]);
});
afterEach(() => scene[Symbol.asyncDispose]());

const foreignBytes = Buffer.alloc(gguf.length + 1);
const foreignReplies: [string, number, Record<string, string | number>][] = [
  ["a redirect's body", 302, { Location: "/elsewhere", "Content-Length": foreignBytes.length }],
  ["a redirect's body that leads nowhere", 302, {}],
  ["a page", 200, { "Content-Length": foreignBytes.length }],
  ["a page of unknown length", 200, {}],
  ["what a proxy has changed", 203, { "Content-Length": gguf.length }],
  ["another range", 206, { "Content-Range": `bytes 0-49999/${String(gguf.length)}` }],
  ["a range of another file", 206, { "Content-Range": `bytes 300000-349999/${String(gguf.length + 1)}` }],
  ["no range", 206, {}],
];

describe.each(foreignReplies)("%s (%d) in place of a part", (_what, status, headers) => {
  const answer = (times: number) => {
    let left = times;
    scene.registry.misbehave(({ headers: { range } }, res) => {
      if (range !== "bytes=300000-349999" || left === 0) return false;
      left--;
      res.writeHead(status, headers).end(foreignBytes.subarray(0, Number(headers["Content-Length"] ?? Infinity)));
      return true;
    });
  };

  it("is no part of the blob, which is asked for again", async () => {
    answer(2);
    expect(await scene.outcome(model.name)).toEqual(success);
    expect(scene.readBlob(model.digests[0])).toEqual(gguf);
  });

  it("that stays ends the pull with its status, and the next one goes on with what came", async () => {
    answer(Infinity);
    expect(String((await scene.outcome(model.name)).error)).toContain(` ${String(status)}: `);
    scene.registry.misbehave(() => false);
    expect(scene.files().some((file) => file.endsWith("-partial"))).toBe(true);
    expect(await scene.outcome(model.name)).toEqual(success);
    expect(scene.readBlob(model.digests[0])).toEqual(gguf);
  });
});

it.each([
  ["for the manifest: a redirect that leads nowhere", "/manifests/", 302, /302: moved$/],
  ["for a blob: a redirect that leads nowhere", "/blobs/", 302, /302: moved$/],
  ["for a blob: a range of another length", "/blobs/", 206, /^206: .* has an unknown number of bytes at the registry/],
])("a pull fails with the status of what it gets %s", async (_what, path, status, text) => {
  scene.registry.misbehave(({ url }, res) => {
    if (!url.includes(path)) return false;
    res.writeHead(status, { "Transfer-Encoding": "chunked" }).end("moved");
    return true;
  });
  expect(String((await scene.outcome(model.name)).error)).toMatch(text);
  expect(scene.files()).toEqual([]);
});

it("a registry that knows neither ranges nor lengths is read from the beginning", async () => {
  scene.registry.misbehave(({ url }, res) => {
    if (!url.endsWith(`/blobs/${String(model.digests[0])}`)) return false;
    res.writeHead(200, { "Transfer-Encoding": "chunked" }).write(gguf.subarray(0, 1000));
    res.end(gguf.subarray(1000));
    return true;
  });
  expect(await scene.outcome(model.name)).toEqual(success);
  expect(scene.readBlob(model.digests[0])).toEqual(gguf);
});

describe("a page of unknown length that is shorter than the blob", () => {
  const page = Buffer.alloc(120_000);
  const endedEarly = { error: expect.stringContaining("ended too early") as string };
  /** In place of the blob, for as long as this says so. */
  const answer = (isMeant: (request: RegistryRequest) => boolean) =>
    scene.registry.misbehave((request, res) => {
      if (!request.url.endsWith(String(model.digests[0])) || !isMeant(request)) return false;
      res.writeHead(200, { "Transfer-Encoding": "chunked" }).end(page);
      return true;
    });
  const succeeds = async () => {
    scene.registry.misbehave(() => false);
    expect(await scene.outcome(model.name)).toEqual(success);
    expect(scene.readBlob(model.digests[0])).toEqual(gguf);
  };

  it("is no part of it, neither at the beginning nor behind what came before", async () => {
    answer(() => true);
    expect(await scene.outcome(model.name)).toEqual(endedEarly);
    await succeeds();
  });

  it("is no part of it where it reaches beyond the part that is missing", async () => {
    scene.registry.misbehave(({ headers: { range } }, res) => {
      if (range !== "bytes=50000-99999") return false;
      res.destroy();
      return true;
    });
    expect(await scene.outcome(model.name)).toHaveProperty("error");
    answer(() => true);
    expect(await scene.outcome(model.name)).toEqual(endedEarly);
    await succeeds();
  });

  it("makes the next try ask the registry for the place again", async () => {
    scene.registry.behave({ ranges: false });
    let pages = 1;
    answer(({ at, headers: { range } }) => at === "cdn" && range === undefined && pages-- > 0);
    expect(await scene.outcome(model.name)).toEqual(success);
    const places = scene.registry.requests.filter(
      ({ at, url }) => at === "registry" && url.endsWith(String(model.digests[0])),
    );
    expect(places).toHaveLength(2);
    expect(scene.readBlob(model.digests[0])).toEqual(gguf);
  });
});
