/** The engine's builds for GPUs: what is downloaded, from a registry on this machine, and what stays when that goes wrong. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, describe, it } from "vitest";
import { GpuEngineSetup } from "../../../../server/app/gpu-engine/gpu-engine.ts";
import type { GpuEngineView } from "../../../../server/contract/console/machine/gpu-engine-endpoints.ts";
import { gpuPackagesFor, type GpuPackages } from "../../../../server/contract/model/gpu-engine.ts";
import { createOutgoingRequests } from "../../../../server/http/outgoing/outgoing-requests.ts";
import { createTargets } from "../../../../server/http/outgoing/targets.ts";
import { gpuEngineFolder, gpuEngineRoot, writeGpuNote } from "../../../../server/process/gpu-engine-files.ts";
import { consoleToken, startTestApp } from "../../../support/app/test-app.ts";
import { serveNpmRegistry } from "../../../support/model/npm-registry.ts";
import { quietLog } from "../../../support/quiet-log.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const [main, extension] = ["linux-x64-cuda", "linux-x64-cuda-ext"] as const;

async function scene({ forged = false } = {}) {
  await using world = new AsyncDisposableStack();
  const folder = world.use(temporaryFolder());
  const registry = world.use(await serveNpmRegistry(main, extension));
  const outgoing = createOutgoingRequests({ targets: createTargets([]) });
  world.defer(() => outgoing.destroy());
  const integrity = forged ? { integrity: `sha512-${"A".repeat(86)}==` } : {};
  const packages: GpuPackages = { cuda: [registry.known(main), { ...registry.known(extension), ...integrity }] };
  const root = gpuEngineRoot(folder.path);
  const restarts: number[] = [];
  const engines: GpuEngineSetup[] = [];
  world.defer(async () => void (await Promise.all(engines.map((engine) => engine.close()))));
  function open(): GpuEngineSetup {
    const engine = new GpuEngineSetup({
      dataDir: folder.path,
      packages,
      registry: registry.url,
      outgoing,
      restartRunner: () => restarts.push(Date.now()),
      log: quietLog,
    });
    engines.push(engine);
    return engine;
  }
  const engine = open();
  const opened = world.move();
  return {
    engine,
    /** The same data directory in a run after this one. */
    open,
    registry,
    restarts,
    dataDir: folder.path,
    root,
    /** Bytes of the first archive in its file. */
    arrived: () => statSync(join(root, `${main}.tgz.part`), { throwIfNoEntry: false })?.size,
    total: (packages.cuda ?? []).reduce((sum, { bytes }) => sum + bytes, 0),
    /** Settles when nothing is done any more: a build is installed a moment before what it was unpacked from is gone. */
    ended: (of = engine) => expect.poll(() => of.view().download).toBeUndefined(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Breaks a download off once a part of it is there. What has not been written yet is lost when the connection ends. */
async function breakOff({ engine, registry, arrived, ended }: Awaited<ReturnType<typeof scene>>): Promise<void> {
  registry.state.way = "stuck";
  engine.download("cuda");
  await expect.poll(arrived).toBeGreaterThan(0);
  registry.breakOff();
  await ended();
}

describe("a build of the engine for a GPU", () => {
  it("is downloaded from the registry or its mirror, with its progress, verified, and tried by the next runner", async () => {
    await using at = await scene();
    expect(at.engine.view()).toEqual({ offered: [{ kind: "cuda", bytes: at.total }], state: "absent" });
    at.registry.state.way = "stuck";
    at.engine.download("cuda");
    const half = () => at.engine.view();
    await expect.poll(() => half().download?.completed).toBeGreaterThan(0);
    expect(half().download).toMatchObject({ kind: "cuda", total: at.total });
    await at.engine.close();
    at.registry.state.way = "whole";
    at.engine.download("cuda");
    await at.ended();
    expect(at.engine.view()).toMatchObject({ installed: "cuda", state: "starting" });
    expect(at.restarts).toHaveLength(1);
    for (const name of [main, extension])
      expect(existsSync(join(gpuEngineFolder(at.dataDir), "node_modules/@node-llama-cpp", name, "package.json"))).toBe(
        true,
      );
    writeGpuNote(at.dataDir, { kind: "cuda", state: "used" });
    expect(at.engine.view().state).toBe("used");
  });

  it("is downloaded from where it was broken off, also in the next run", async () => {
    await using at = await scene();
    await breakOff(at);
    expect(at.engine.view()).toMatchObject({
      state: "absent",
      download_problem: expect.stringContaining("ended the download"),
    });
    at.registry.state.way = "whole";
    const next = at.open();
    next.download("cuda");
    await at.ended(next);
    expect(next.view().installed).toBe("cuda");
    expect(at.registry.requests.map(({ range }) => range)).toEqual([
      undefined,
      expect.stringMatching(/^bytes=\d+-$/),
      undefined,
    ]);
    expect(next.view().download_problem).toBeUndefined();
    expect(readdirSync(at.root)).toHaveLength(1);
  });

  it.each([200, 206, 302] as const)(
    "keeps what arrived when a page with status %d answers for the rest",
    async (page) => {
      await using at = await scene();
      await breakOff(at);
      const arrived = at.arrived();
      at.registry.state.way = page;
      at.engine.download("cuda");
      await at.ended();
      expect(at.engine.view().download_problem).toMatch(
        new RegExp(`^127\\.0\\.0\\.1:\\d+ returned ${String(page)} without the expected bytes of ${main}$`),
      );
      expect(at.arrived()).toBe(arrived);
      at.registry.state.way = "whole";
      at.engine.download("cuda");
      await at.ended();
      expect(at.engine.view()).toMatchObject({ installed: "cuda" });
      expect(at.registry.requests.map(({ range }) => range)).toContain(`bytes=${String(arrived)}-`);
    },
  );

  it("comes from a registry that knows neither ranges nor lengths, whatever came before", async () => {
    await using at = await scene();
    await breakOff(at);
    at.registry.state.way = "plain";
    at.engine.download("cuda");
    await at.ended();
    expect(at.engine.view()).toMatchObject({ installed: "cuda" });
    expect(readdirSync(at.root)).toHaveLength(1);
  });

  it("keeps nothing of a page that came before anything else", async () => {
    await using at = await scene();
    at.registry.state.way = 200;
    at.engine.download("cuda");
    await at.ended();
    expect(at.engine.view().download_problem).toContain("returned 200 without the expected bytes of ");
    expect(readdirSync(at.root)).toEqual([]);
  });

  it("that is not what is known of it is refused by its digest, and nothing of it stays", async () => {
    await using at = await scene({ forged: true });
    at.engine.download("cuda");
    await at.ended();
    expect(at.engine.view()).toMatchObject({
      state: "absent",
      download_problem: expect.stringMatching(/linux-x64-cuda-ext .*the wrong integrity sha512-/),
    });
    expect(readdirSync(at.root)).toEqual([`${main}.tgz.part`]);
    expect(at.restarts).toEqual([]);
  });

  it("can be cancelled, and goes again with all that was downloaded; the runner is started without it", async () => {
    await using at = await scene();
    at.registry.state.way = "stuck";
    at.engine.download("cuda");
    await expect.poll(at.arrived).toBeGreaterThan(0);
    await at.engine.cancel();
    expect(at.engine.view()).toEqual({ offered: expect.anything(), state: "absent" });
    expect(readdirSync(at.root)).toEqual([]);
    at.registry.state.way = "whole";
    at.engine.download("cuda");
    await at.ended();
    await at.engine.remove();
    expect(existsSync(at.root)).toBe(false);
    expect(at.engine.view().state).toBe("absent");
    expect(at.restarts).toHaveLength(2);
  });

  it("that failed is told with its reason, and tried again when a person says so", async () => {
    await using at = await scene();
    at.engine.download("cuda");
    await at.ended();
    writeGpuNote(at.dataDir, { kind: "cuda", state: "crashed", reason: "the driver" });
    expect(at.engine.view()).toMatchObject({ installed: "cuda", state: "crashed", reason: "the driver" });
    at.engine.retry();
    expect(at.engine.view()).toMatchObject({ installed: "cuda", state: "starting" });
    expect(at.restarts).toHaveLength(2);
  });
});

describe.runIf(gpuPackagesFor(process.platform, process.arch).vulkan)("the console's operations on the builds", () => {
  const [{ name, bytes } = { name: "", bytes: 0 }] = gpuPackagesFor(process.platform, process.arch).vulkan ?? [];

  it("refuse what is not the published build, another download beside one, and unknown kinds", async () => {
    await using registry = await serveNpmRegistry(name);
    await using app = await startTestApp({ settings: { gpu_engine_registry: registry.url } });
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const address = `${app.url}/console/api/gpu-engine`;
    const view = async () => (await (await fetch(address, { headers })).json()) as GpuEngineView;
    const download = async (kind: string) => (await app.post(`${address}/download`, { kind }, headers)).status;
    expect(await view()).toMatchObject({
      offered: expect.arrayContaining([{ kind: "vulkan", bytes }]),
      state: "absent",
    });
    expect(await download("metal")).toBe(400);
    registry.state.way = "stuck";
    expect(await download("vulkan")).toBe(202);
    expect(await download("vulkan")).toBe(202);
    expect(await download("cuda")).toBe(409);
    expect((await fetch(`${address}/download`, { method: "DELETE", headers })).status).toBe(204);
    registry.state.way = "whole";
    expect(await download("vulkan")).toBe(202);
    await expect
      .poll(async () => (await view()).download_problem)
      .toContain("returned 200 without the expected bytes of ");
    expect((await fetch(address, { method: "DELETE", headers })).status).toBe(204);
    expect(existsSync(gpuEngineRoot(app.folder))).toBe(false);
    expect((await fetch(address)).status).toBe(401);
  });
});
