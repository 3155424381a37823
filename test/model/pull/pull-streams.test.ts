import { once } from "node:events";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { queryObjects } from "node:v8";
import { describe, expect, it } from "vitest";
import { tuningFrom } from "../../../server/model/models/registry/tuning.ts";
import { layers, manyBytes } from "../../support/model/model-registry.ts";
import { startPullScene } from "../../support/model/pull-scene.ts";

function from(value?: string) {
  const warnings: string[] = [];
  const env = value === undefined ? {} : { OLLAMA_MAX_TRANSFER_STREAMS: value };
  return { tuning: tuningFrom(env, (message) => warnings.push(message)), warnings };
}

describe("OLLAMA_MAX_TRANSFER_STREAMS", () => {
  it.each(["1", "3"])("%s limits how many parts of a blob are on their way at a time", async (value) => {
    const { tuning } = from(value);
    await using scene = await startPullScene({ registry: { tuning } });
    const { name, digests } = scene.registry.publish("m", [layers.model(manyBytes(600_000))]);
    let [underWay, most] = [0, 0];
    const full = Promise.withResolvers<void>();
    scene.registry.misbehave(async ({ at, url, headers }, res) => {
      if (at !== "cdn" || !url.endsWith(digests[0] ?? "") || headers.range === "bytes=0-0") return false;
      most = Math.max(most, ++underWay);
      res.once("close", () => underWay--);
      // None is answered before as many have come as may.
      if (underWay === tuning.streams) full.resolve();
      await full.promise;
      return false;
    });
    expect(await scene.outcome(name)).toEqual({ status: "success" });
    expect(most).toBe(Number(value));
  });

  it("has its default unless it is a number of 1 or more; a bad value is logged", () => {
    expect(from()).toEqual({ tuning: {}, warnings: [] });
    expect(from("0")).toEqual({ tuning: {}, warnings: [] });
    expect(from("many")).toEqual({
      tuning: {},
      warnings: ["OLLAMA_MAX_TRANSFER_STREAMS=many is not a whole number of 0 or more and is ignored"],
    });
  });
});

it("a pull that stands still keeps nothing of the lines that it has sent", async () => {
  await using scene = await startPullScene({ registry: { tuning: { progressMs: 1 } } });
  const { name, digests } = scene.registry.publish("m", [layers.model(manyBytes(100_000))]);
  const over = Promise.withResolvers<void>();
  scene.registry.misbehave(async ({ at, url }) => {
    if (at === "cdn" && url.endsWith(digests[0] ?? "")) await over.promise;
    return false;
  });
  const { body } = await scene.pull(name);
  const promises: number[] = [];
  const lines = createInterface({ input: Readable.fromWeb(body as never) });
  let count = 0;
  lines.on("line", () => {
    count++;
    if (count === 100 || count === 1_100) promises.push(queryObjects(Promise, { format: "count" }));
    if (count === 1_100) over.resolve();
  });
  await once(lines, "close");
  const [first = 0, second = Infinity] = promises;
  expect(second - first).toBeLessThan(500);
});
