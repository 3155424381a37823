import electronUpdater from "electron-updater";
import { describe, expect, it, vi } from "vitest";
import { createElectronInstaller } from "../../../electron/updates/electron-installer.ts";
import { createUpdates } from "../../../electron/updates/updates.ts";
import type { UpdateState } from "../../../server/contract/console/machine/updates.ts";

/** Only in Electron there is a real one. It starts the new version as that of an AppImage and that of a package do. */
vi.mock("electron-updater", () => {
  class AppImageUpdater {
    autoRunAppAfterInstall = true;
    startedByItself = "";
    setFeedURL = () => undefined;
    on = () => undefined;
    spawnLog = async (program: string) => (this.startedByItself = program);
    quitAndInstall() {
      if (this.autoRunAppAfterInstall) void this.spawnLog("/home/ada/Hearth-0.2.0.AppImage");
    }
  }
  return { default: { autoUpdater: new AppImageUpdater(), AppImageUpdater } };
});

/** Updates whose server and installer the test plays. */
function playedUpdates(check: () => Promise<string | undefined> = () => Promise.resolve("0.2.0")) {
  const shown: UpdateState[] = [];
  const calls: string[] = [];
  let download = Promise.withResolvers<void>();
  let progress: (fraction: number) => void = () => undefined;
  const updates = createUpdates({
    installer: {
      check,
      download(onProgress, signal) {
        calls.push("download");
        download = Promise.withResolvers();
        progress = onProgress;
        signal.addEventListener("abort", () => download.reject(signal.reason));
        return download.promise;
      },
      install: () => calls.push("install"),
    },
    onState: (state) => shown.push(state),
    restart: () => calls.push("restart"),
  });
  const steps = () => shown.map(({ step }) => step);
  return {
    updates,
    calls,
    shown,
    steps,
    progress: (fraction: number) => progress(fraction),
    arrive: (problem?: Error) => (problem === undefined ? download.resolve() : download.reject(problem)),
  };
}
const offered = { step: "offered", version: "0.2.0" } as const;

describe("an update", () => {
  it("is offered, downloaded with its progress, and installed at the end, each by a person's word", async () => {
    const { updates, calls, shown, progress, arrive } = playedUpdates();
    await updates.check(false);
    expect(shown).toEqual([offered]);
    updates.act("install");
    expect(calls).toEqual([]);

    updates.act("download");
    progress(0.5);
    expect(updates.state()).toEqual({ step: "downloading", version: "0.2.0", fraction: 0.5 });
    arrive();
    await expect.poll(updates.state).toEqual({ step: "ready", version: "0.2.0" });
    updates.act("install");
    expect(calls).toEqual(["download", "restart"]);
    updates.stop();
    updates.finish();
    expect(calls).toEqual(["download", "restart", "install"]);
  });

  it("is not installed by an end that nobody asked for the update", async () => {
    const { updates, calls, arrive } = playedUpdates();
    await updates.check(false);
    updates.act("download");
    arrive();
    await expect.poll(() => updates.state().step).toBe("ready");
    updates.stop();
    updates.finish();
    expect(calls).toEqual(["download"]);
  });

  it("is offered again when its download is cancelled", async () => {
    const { updates, progress } = playedUpdates();
    await updates.check(false);
    updates.act("download");
    updates.act("cancel");
    progress(0.9);
    await expect.poll(updates.state).toEqual(offered);
  });

  it("is refused, with the reason, when it is not what was announced", async () => {
    const { updates, arrive } = playedUpdates();
    await updates.check(false);
    updates.act("download");
    arrive(new Error("sha512 checksum mismatch"));
    await expect.poll(updates.state).toEqual({ step: "failed", reason: "sha512 checksum mismatch" });
    updates.act("check");
    await expect.poll(updates.state).toEqual(offered);
  });

  it("is not mentioned when nobody answers, or there is none, unless a person asks", async () => {
    const offline = playedUpdates(() => Promise.reject(new Error("offline")));
    await offline.updates.check(false);
    expect(offline.steps()).toEqual([]);
    await offline.updates.check(true);
    expect(offline.shown).toEqual([{ step: "failed", reason: "offline" }]);

    const { updates, steps } = playedUpdates(() => Promise.resolve(undefined));
    await updates.check(false);
    expect(steps()).toEqual([]);
    await updates.check(true);
    expect(steps()).toEqual(["current"]);
    updates.act("decline");
    expect(updates.state()).toEqual({ step: "none" });
  });

  it("keeps its download from a check that was under way, which ends first", async () => {
    const answers = [Promise.resolve("0.2.0")];
    const late = Promise.withResolvers<string>();
    const { updates, calls, arrive } = playedUpdates(() => answers.shift() ?? late.promise);
    await updates.check(false);
    const asked = updates.check(true);
    updates.act("download");
    expect(calls).toEqual([]);
    late.resolve("0.2.0");
    await asked;
    expect(updates.state()).toMatchObject({ step: "downloading" });
    await expect.poll(() => calls).toEqual(["download"]);
    arrive();
    await expect.poll(updates.state).toEqual({ step: "ready", version: "0.2.0" });
  });

  it("is not downloaded when that is cancelled while a check is under way", async () => {
    const answers = [Promise.resolve("0.2.0")];
    const late = Promise.withResolvers<string>();
    const { updates, calls } = playedUpdates(() => answers.shift() ?? late.promise);
    await updates.check(false);
    const asked = updates.check(true);
    updates.act("download");
    updates.act("cancel");
    late.resolve("0.2.0");
    await asked;
    await expect.poll(updates.state).toEqual(offered);
    expect(calls).toEqual([]);
  });

  it("does not begin, nor go on, while the program ends", async () => {
    const { updates, steps } = playedUpdates();
    await updates.check(false);
    updates.act("download");
    updates.stop();
    updates.act("download");
    await updates.check(true);
    expect(steps()).toEqual(["offered", "downloading"]);
  });
});

describe.runIf(process.platform === "linux")("an installed version", () => {
  it.each([
    ["an AppImage", electronUpdater.AppImageUpdater, "/home/ada/Hearth-0.2.0.AppImage"],
    ["a package", class {}, undefined],
  ])("of %s is started by the program itself, once, with the arguments that it knows", (_name, kind, program) => {
    const started: unknown[] = [];
    vi.stubEnv("PATH", "bin:/usr/bin");
    const played = vi.spyOn(electronUpdater, "AppImageUpdater", "get").mockReturnValue(kind as never);
    createElectronInstaller("http://127.0.0.1/", (path) => started.push(path)).install();
    played.mockRestore();
    expect(started).toEqual([program]);
    // It finds the system's installer there, and none of a clone's.
    expect(process.env["PATH"]).toBe("/usr/bin");
    vi.unstubAllEnvs();
    expect(electronUpdater.autoUpdater).toMatchObject({ startedByItself: "" });
  });
});
