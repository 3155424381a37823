import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fromServiceSchema } from "../../../server/contract/process/process-messages.ts";
import type { ServiceName, ServiceState, ServiceStatus } from "../../../server/contract/process/services.ts";
import { settingsSchema } from "../../../server/contract/process/settings.ts";
import { createNodeFork } from "../../../server/supervisor/processes/fork-node.ts";
import { SupervisedService } from "../../../server/supervisor/processes/supervise.ts";
import type { SupervisionTimes } from "../../../server/supervisor/processes/supervision-times.ts";
import { isRunning, sendSignal } from "../../support/process/processes.ts";
import { startMessage } from "../../support/process/start-message.ts";

const entry = fileURLToPath(new URL("../../support/process/scripted-service.ts", import.meta.url));

/** Supervises one scripted service and notes what it goes through. */
function superviseScripted(behaviour: string | string[], times: Partial<SupervisionTimes> = {}) {
  const behaviours = [behaviour].flat();
  const name: ServiceName = "app";
  const history: ServiceStatus[] = [];
  const lines: string[] = [];
  const fork = createNodeFork();
  let forks = 0;
  const service = new SupervisedService({
    name,
    fork() {
      const current = behaviours[Math.min(forks++, behaviours.length - 1)] ?? "well";
      const child = fork({ name, entry, env: { SCRIPTED_NAME: name, SCRIPTED_BEHAVIOUR: current } });
      child.send(startMessage(settingsSchema.parse({ data_dir: "none" })));
      return child;
    },
    read: (raw) => fromServiceSchema.safeParse(raw).data,
    onChange: (status) => history.push(status),
    onLine: (line) => lines.push(line),
    onRequest: () => undefined,
    onRefused: () => "never",
    times,
  });
  const url = () => service.status().urls["app"] ?? "";
  return {
    service,
    history,
    lines,
    url,
    states: () => history.map(({ state }) => state),
    until: (state: ServiceState) => expect.poll(() => service.status().state).toBe(state),
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

describe("a supervised service", () => {
  it("is up once it reports ready and answers its health check", async () => {
    await using scripted = superviseScripted("well");
    await scripted.until("up");
    expect((await fetch(`${scripted.url()}/healthz`)).status).toBe(200);
    expect(scripted.states()).toEqual(["starting", "up"]);
    expect(scripted.lines.join("\n")).toContain('"msg":"listening"');
  });

  it("is up although its first answer is lost", async () => {
    await using scripted = superviseScripted("forgetful", { healthTimeoutMs: 2_000, firstPauseMs: 10 });
    await scripted.until("up");
    expect(scripted.states()).toEqual(["starting", "up"]);
  });

  it("is started again when it is killed, with another process and the count of restarts", async () => {
    await using scripted = superviseScripted("well");
    await scripted.until("up");
    const { pid } = scripted.service.status();
    sendSignal(pid, "SIGKILL");
    await expect.poll(() => scripted.service.status()).toMatchObject({ state: "up", restarts: 1 });
    expect(scripted.service.status().pid).not.toBe(pid);
    expect(scripted.states()).toEqual(["starting", "up", "restarting", "starting", "up"]);
    expect(scripted.history.find(({ state }) => state === "restarting")?.reason).toBe("was ended by SIGKILL");
  });

  it("is killed and started again when it hangs", async () => {
    await using scripted = superviseScripted("well", { healthEveryMs: 50, healthTimeoutMs: 2_000 });
    await scripted.until("up");
    const { pid = 0 } = scripted.service.status();
    const hung = fetch(`${scripted.url()}/hang`).catch(() => undefined);
    await expect.poll(() => scripted.service.status()).toMatchObject({ state: "up", restarts: 1 });
    await hung;
    expect(isRunning(pid)).toBe(false);
    expect(scripted.history.find(({ state }) => state === "restarting")?.reason).toContain("health check");
  });

  it("is started again, with its reason, when the program has ended that was used instead", async () => {
    await using scripted = superviseScripted(["external", "well"], { healthEveryMs: 50 });
    await scripted.until("external");
    await fetch(`${scripted.url()}/close`);
    await scripted.until("up");
    expect(scripted.states()).toEqual(["starting", "external", "restarting", "starting", "up"]);
    expect(scripted.history.find(({ state }) => state === "restarting")?.reason).toBe("does not listen any more");
  });

  it("is left alone while it can take no connection but answers the supervisor's messages", async () => {
    await using scripted = superviseScripted("deaf", { healthEveryMs: 10, healthTimeoutMs: 30_000 });
    await scripted.until("up");
    await expect(fetch(scripted.url())).rejects.toThrow();
    await expect.poll(() => scripted.lines.filter((line) => line === "was asked").length).toBeGreaterThan(10);
    expect(scripted.service.status()).toMatchObject({ state: "up", restarts: 0 });
  });

  it("is started again when it says that its listener is gone", async () => {
    await using scripted = superviseScripted("well", { healthEveryMs: 50 });
    await scripted.until("up");
    await fetch(`${scripted.url()}/close`);
    await expect.poll(() => scripted.service.status()).toMatchObject({ state: "up", restarts: 1 });
    expect(scripted.history.find(({ state }) => state === "restarting")?.reason).toBe("does not listen any more");
  });

  it("is down with its own words when it says that it cannot run, and starts when it is asked again", async () => {
    await using scripted = superviseScripted(["refuses", "well"]);
    await scripted.until("down");
    expect(scripted.service.status().reason).toBe("port 1 is in use; choose another with --app-port");
    scripted.service.restart();
    await scripted.until("up");
  });

  it("is down after three starts that crash, each after a longer pause", async () => {
    await using scripted = superviseScripted("crashes", { firstPauseMs: 10 });
    await scripted.until("down");
    expect(scripted.states().filter((state) => state === "starting")).toHaveLength(3);
    expect(scripted.service.status().reason).toBe("exited with code 3");
    expect(scripted.lines).toContain("cannot go on");
  });

  it("is ended when it never says that it is ready", async () => {
    await using scripted = superviseScripted("mute", { readyWithinMs: 500, firstPauseMs: 10 });
    await scripted.until("down");
    expect(scripted.service.status().reason).toBe("was not ready within 0.5 s");
  });

  it("is killed when it does not stop in time, and no process is left", async () => {
    const scripted = superviseScripted("stubborn", { stopWithinMs: 300 });
    await scripted.until("up");
    const { pid = 0 } = scripted.service.status();
    await scripted.service.stop();
    expect(isRunning(pid)).toBe(false);
    expect(scripted.states().at(-1)).toBe("stopped");
  });

  it("stops while it waits for its next start", async () => {
    const scripted = superviseScripted("crashes", { firstPauseMs: 60_000 });
    await scripted.until("restarting");
    await scripted.service.stop();
    expect(scripted.states()).toEqual(["starting", "restarting", "stopped"]);
  });
});
