import { queryObjects } from "node:v8";
import { describe, expect, it } from "vitest";
import { ggufProblem, modelNameOf } from "../../../../../renderer/features/models/new-model/gguf-file.ts";
import { createModelJobs, type JobRequest } from "../../../../../renderer/features/models/jobs/model-jobs.ts";
import { draftModelfile } from "../../../../../renderer/features/models/new-model/modelfile.ts";
import { progressOf } from "../../../../../renderer/features/models/jobs/progress-of.ts";
import { createMeter, sumOf, withLine, type Transfer } from "../../../../../renderer/features/models/jobs/transfer.ts";

const nothing: Transfer = { status: "", layers: [], speed: undefined };

describe("The progress of a pull", () => {
  it("sums its layers, and computes the speed of bytes received now, not before", () => {
    let now = 0;
    const meter = createMeter(() => now);
    const line = (completed: number) => ({ status: "pulling a", digest: "sha256:a", total: 1_000, completed });
    let transfer = withLine(nothing, { status: "pulling manifest" }, meter);
    transfer = withLine(transfer, line(400), meter);
    expect([transfer.speed, sumOf(transfer.layers)]).toEqual([undefined, { completed: 400, total: 1_000 }]);
    now = 1_000;
    transfer = withLine(transfer, line(500), meter);
    expect(transfer.speed).toBe(100);
    transfer = withLine(transfer, { status: "pulling b", digest: "sha256:b", total: 50 }, meter);
    expect(sumOf(transfer.layers)).toEqual({ completed: 500, total: 1_050 });
    // Of an old stall nothing is left after some seconds.
    for (now = 2_000; now <= 9_000; now += 1_000) transfer = withLine(transfer, line(now / 10), meter);
    expect(transfer.speed).toBe(100);
  });
});

describe("The jobs of the page of models", () => {
  const pull: JobRequest = { kind: "pull", model: "m", insecure: false };
  function storage() {
    let kept: string | null = null;
    return { getItem: () => kept, setItem: (_key: string, value: string) => void (kept = value) };
  }
  /** Runs until it is told how to end. */
  function scene(kept = storage()) {
    const ends: PromiseWithResolvers<void>[] = [];
    const jobs = createModelJobs({
      async *run(_wish, signal) {
        const end = Promise.withResolvers<void>();
        signal.addEventListener("abort", () => end.reject(new Error("aborted")));
        ends.push(end);
        yield { status: "pulling a", digest: "sha256:a", total: 10, completed: 5 };
        await end.promise;
      },
      onEnd: () => undefined,
      storage: kept,
      now: () => 0,
    });
    return { jobs, ends, states: () => jobs.jobs.getState().map(({ state }) => state) };
  }

  it("stops a pull with what came, and goes on with the same one in its place", async () => {
    const { jobs, ends, states } = scene();
    jobs.start(pull);
    jobs.start(pull);
    expect(states()).toEqual(["running"]);
    await expect.poll(() => jobs.jobs.getState()[0]?.layers).toHaveLength(1);
    jobs.stop(jobs.jobs.getState()[0]?.key ?? 0);
    await expect.poll(states).toEqual(["stopped"]);
    jobs.start(pull);
    expect(jobs.jobs.getState()[0]).toMatchObject({ state: "running", layers: [{ completed: 5 }] });
    await expect.poll(() => ends).toHaveLength(2);
    ends[1]?.resolve();
    await expect.poll(states).toEqual(["done"]);
  });

  it("offers after a reload the pulls that were not finished, and no load", () => {
    const kept = storage();
    const { jobs } = scene(kept);
    jobs.start(pull);
    jobs.start({ kind: "load", model: "x" });
    expect(
      scene(kept)
        .jobs.jobs.getState()
        .map(({ request: options, state }) => [options, state]),
    ).toEqual([[pull, "stopped"]]);
  });

  it("says after a reload why a pull has failed", async () => {
    const kept = storage();
    const { jobs, ends, states } = scene(kept);
    jobs.start(pull);
    await expect.poll(() => ends).toHaveLength(1);
    ends[0]?.reject(new Error("no such model"));
    await expect.poll(states).toEqual(["failed"]);
    const [reloaded] = scene(kept).jobs.jobs.getState();
    expect(reloaded).toMatchObject({ request: pull, state: "failed", reason: "no such model" });
  });

  it("creates no second model of a name while the first is being created, and says so", async () => {
    const { jobs, ends, states } = scene();
    const creations: JobRequest[] = [
      { kind: "create", model: "x", modelfile: "FROM y" },
      { kind: "file", model: "z", file: new File([], "z.gguf") },
    ];
    for (const one of creations) expect([jobs.start(one), jobs.start({ ...one })]).toEqual([true, false]);
    expect([jobs.start(pull), jobs.start(pull)]).toEqual([true, true]);
    await expect.poll(() => ends).toHaveLength(3);
    ends[0]?.resolve();
    await expect.poll(states).toEqual(["running", "running", "done"]);
    expect(creations.map((one) => jobs.start(one))).toEqual([true, false]);
  });

  it("says why one failed", async () => {
    const { jobs, ends, states } = scene();
    jobs.start({ kind: "create", model: "x", modelfile: "FROM y" });
    await expect.poll(() => ends).toHaveLength(1);
    ends[0]?.reject(new Error("no such base"));
    await expect.poll(states).toEqual(["failed"]);
    expect(jobs.jobs.getState()[0]?.reason).toBe("no such base");
  });
});

describe("A model of a file", () => {
  const gguf = (version: number) => new Uint8Array([...Buffer.from("GGUF"), version, 0, 0, 0, 9, 9]);
  it.each([
    ["a.gguf", gguf(3), undefined],
    ["a-00001-of-00001.gguf", gguf(2), undefined],
    ["a-00002-of-00003.gguf", gguf(3), "part"],
    ["a.gguf", gguf(1), "version"],
    ["a.gguf", new Uint8Array([0x47, 0x47]), "notGguf"],
    ["a.safetensors", new Uint8Array(64), "notGguf"],
  ])("%s: what its first bytes and its name say", async (name, bytes, problem) =>
    expect(await ggufProblem(new File([bytes], name))).toBe(problem),
  );

  it("is called as the file, with what names allow", () => {
    expect(["Qwen 2.5 (Q4).GGUF", "..x.gguf", "模型.gguf"].map(modelNameOf)).toEqual(["Qwen-2.5-Q4", "x", ""]);
  });

  it("measures each phase by itself, and then shows what the service says", async () => {
    const go = Promise.withResolvers<void>();
    const jobs = createModelJobs({
      async *run() {
        yield { phase: "reading" };
        yield { status: "", digest: "f", total: 10, completed: 10 };
        yield { phase: "sending" };
        yield { status: "", digest: "f", total: 10, completed: 2 };
        await go.promise;
        yield { phase: undefined };
        yield { status: "writing manifest" };
      },
      onEnd: () => undefined,
      storage: { getItem: () => null, setItem: () => undefined },
      now: () => 0,
    });
    jobs.start({ kind: "file", model: "m", file: new File([], "m.gguf") });
    await expect
      .poll(() => jobs.jobs.getState()[0])
      .toMatchObject({ phase: "sending", layers: [{ completed: 2, total: 10 }] });
    go.resolve();
    await expect.poll(() => jobs.jobs.getState()[0]?.state).toBe("done");
    expect(jobs.jobs.getState()[0]).toMatchObject({ layers: [], status: "writing manifest" });
  });

  it("passes on the latest progress, and then the result", async () => {
    const received: number[] = [];
    const events = progressOf<number, string>(async (report) => {
      report(1);
      report(2);
      await Promise.resolve();
      return "end";
    });
    for (let next = await events.next(); ; next = await events.next())
      if (next.done) {
        expect([received, next.value]).toEqual([[2], "end"]);
        break;
      } else received.push(next.value);
    const failing = progressOf(() => Promise.reject(new Error("unreadable")));
    await expect(failing.next()).rejects.toThrow("unreadable");
  });

  it("keeps nothing of the progress that it has passed on", async () => {
    let report: (count: number) => void = () => undefined;
    const events = progressOf<number, void>((tell) => {
      report = tell;
      return new Promise(() => undefined);
    });
    const promises = () => queryObjects(Promise, { format: "count" });
    const before = promises();
    for (let count = 0; count < 1_000; count++) {
      const next = events.next();
      report(count);
      await next;
    }
    expect(promises() - before).toBeLessThan(500);
  });
});

describe("The draft of a Modelfile", () => {
  it("begins with the model's name in place of a file that only the server has", () => {
    const shown = '# Modelfile generated\n# FROM a:latest\n\nFROM /data/blobs/sha256-1\nSYSTEM """Be brief."""\n';
    expect(draftModelfile("a:latest", shown)).toBe('FROM a:latest\nSYSTEM """Be brief."""\n');
    expect(draftModelfile("a")).toMatch(/^FROM a\n/);
  });
});
