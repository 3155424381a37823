/** Kills the model service in the middle of a pull and looks at how another one goes on. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settingsSchema } from "../../server/contract/process/settings.ts";
import { built, plainEnvironment } from "../support/process/launch.ts";
import { startMessage } from "../support/process/start-message.ts";
import { layers, manyBytes, startRegistry } from "../support/model/model-registry.ts";
import { lines } from "../support/model/model-service.ts";
import { randomGgufBytes } from "../support/model/random-gguf.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const entry = built("model");

async function startModel(dataDir: string) {
  const settings = settingsSchema.parse({ data_dir: dataDir, model_port: 0, models_dir: "", log_level: "silent" });
  const child = fork(entry, { env: plainEnvironment() });
  child.send(startMessage(settings, { runnerSocket: join(dataDir, "nobody.sock") }));
  const [message] = (await once(child, "message")) as [{ type: string; urls: { model: string } }];
  expect(message.type).toBe("ready");
  return {
    pull: (model: string) =>
      fetch(`${message.urls.model}/api/pull`, { method: "POST", body: JSON.stringify({ model, insecure: true }) }),
    tags: async () => (await fetch(`${message.urls.model}/api/tags`)).text(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

describe("kill -9 in the middle of a pull", () => {
  it("leaves no model and no wrong byte, and the next pull asks only for what is missing", async () => {
    using folder = temporaryFolder();
    await using registry = await startRegistry();
    // Longer than what a record may lag behind, so that there is one to go on from.
    const weights = Buffer.concat([randomGgufBytes(), manyBytes(40_000_000)]);
    const { name, digests } = registry.publish("m", [layers.model(weights)]);
    const [digest = ""] = digests;
    const blobs = join(folder.path, "models/blobs");
    const blob = join(blobs, digest.replace(":", "-"));
    const record = `${blob}-partial-0`;
    const completed = () => (existsSync(record) ? Number(JSON.parse(readFileSync(record, "utf8")).Completed) : 0);
    registry.misbehave(({ at, url, headers }, res) => {
      if (at !== "cdn" || !url.endsWith(digest) || headers.range === "bytes=0-0") return false;
      const range = `bytes 0-${String(weights.length - 1)}/${String(weights.length)}`;
      res.writeHead(206, { "Content-Range": range, "Content-Length": weights.length });
      // The rest never comes.
      res.write(weights.subarray(0, 25_000_000));
      return true;
    });
    {
      await using first = await startModel(folder.path);
      const cut = first.pull(name).then((reply) => reply.text());
      cut.catch(() => undefined);
      await expect.poll(completed).toBeGreaterThan(0);
    }
    expect(existsSync(blob)).toBe(false);
    expect(existsSync(join(folder.path, "models/manifests"))).toBe(false);
    const kept = completed();

    registry.misbehave(() => false);
    registry.requests.length = 0;
    await using second = await startModel(folder.path);
    expect(await second.tags()).not.toContain(name);
    expect((await lines(await second.pull(name))).at(-1)).toEqual({ status: "success" });
    const asked = registry.partRequests(digest).filter(({ at }) => at === "cdn");
    expect(asked.map(({ headers }) => headers.range)).toEqual([`bytes=${String(kept)}-${String(weights.length - 1)}`]);
    expect(readFileSync(blob).equals(weights)).toBe(true);
    expect(readdirSync(blobs).filter((file) => file.includes("partial"))).toEqual([]);
    expect(await second.tags()).toContain(name);
  });
});
