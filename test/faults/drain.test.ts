import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { zipBytes } from "../support/files.ts";
import { asConsole, logIn } from "../support/process/console-access.ts";
import { forkApp } from "../support/process/forked-app.ts";
import { freePort } from "../support/process/free-port.ts";
import { launchHearth } from "../support/process/launch.ts";
import { openRequest } from "../support/process/open-request.ts";
import { isRunning, sendSignal } from "../support/process/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("a server that is stopped answers requests under way, accepts no new ones, and ends", async () => {
  using folder = temporaryFolder();
  await using app = await forkApp(folder.path, { drain_seconds: 300 });
  const headers = { Authorization: `Bearer ${await app.logIn()}` };
  const underWay = await openRequest(`${app.url}/api/raffles`, headers, { title: "t", entries: ["a"], prizes: 1 });
  app.terminate();
  const answers = () =>
    fetch(app.url).then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(false);
  expect(await underWay.end()).toBe(201);
  expect(await app.ended).toBe(0);
});

it("a second Ctrl-C ends a run at once that still waits for its clients, and leaves nothing behind", async () => {
  await using hearth = launchHearth({ flags: ["--shutdown-delay-seconds", "600"] });
  await hearth.ready();
  const pids = await hearth.pids();
  hearth.child.kill("SIGINT");
  await hearth.prints("Ctrl-C ends them at once");
  try {
    // One that follows too soon is the first one, passed on.
    const leftAfterAnother = () => {
      const left = pids.filter((pid) => pid !== hearth.child.pid && isRunning(pid));
      if (left.length > 0) hearth.child.kill("SIGINT");
      return left;
    };
    await expect.poll(leftAfterAnother).toEqual([]);
    expect(await hearth.exited).toBe(0);
    expect(hearth.leftovers()).toEqual([]);
  } finally {
    for (const pid of pids.filter(isRunning)) sendSignal(pid, "SIGKILL");
  }
});

it("a start after SIGKILL waits for the services that still end, and leaves the upload alone that one of them takes", async () => {
  using data = temporaryFolder();
  const flags = ["--app-port", String(await freePort()), "--drain-seconds", "300"];
  await using killed = launchHearth({ dataDir: data.path, flags });
  const before = await killed.ready();
  const content = zipBytes({ "a.bin": randomBytes(300_000).toString("hex") });
  const upload = request(`${before.app}/api/uploads`, {
    method: "POST",
    headers: { ...(await logIn(before)), "Content-Type": "multipart/form-data; boundary=b" },
  });
  const answered = once(upload, "response") as Promise<[IncomingMessage]>;
  upload.write('--b\r\nContent-Disposition: form-data; name="[]"; filename="a.zip"\r\n\r\n');
  upload.write(content.subarray(0, 200_000));
  await expect.poll(() => readdirSync(join(data.path, "uploads", "incoming"))).toHaveLength(1);
  sendSignal(before.pid, "SIGKILL");
  await using next = launchHearth({ dataDir: data.path, flags });
  const waits = next.prints("waiting for the services of a killed Hearth to stop");
  expect(await Promise.race([waits.then(() => "it waits"), next.exited])).toBe("it waits");
  upload.write(content.subarray(200_000));
  upload.end("\r\n--b--\r\n");
  expect((await answered)[0].statusCode).toBe(201);
  const after = await next.ready();
  expect(after.app).toBe(before.app);
  const listed = await fetch(`${after.app}/console/api/uploads`, { headers: asConsole(after.console) });
  expect(await listed.json()).toMatchObject({ uploads: [{ file_name: "a.zip", size: content.length }] });
});

it("a start after SIGKILL waits for a model runner that is still there when all other services have ended", async () => {
  using data = temporaryFolder();
  await using killed = launchHearth({ dataDir: data.path });
  const before = await killed.ready();
  const pids = await killed.pids();
  const runner = await killed.pidOf("runner");
  // As one that loads a model: it hears of nothing meanwhile.
  sendSignal(runner, "SIGSTOP");
  try {
    sendSignal(before.pid, "SIGKILL");
    await expect.poll(() => pids.filter(isRunning)).toEqual([runner]);
    await using next = launchHearth({ dataDir: data.path });
    const waits = next.prints("waiting for the services of a killed Hearth to stop");
    const starts = next.ready().then(() => "it starts");
    expect(await Promise.race([waits.then(() => "it waits"), starts])).toBe("it waits");
    sendSignal(runner, "SIGCONT");
    expect(await starts).toBe("it starts");
    expect(pids.filter(isRunning)).toEqual([]);
  } finally {
    if (isRunning(runner)) sendSignal(runner, "SIGKILL");
  }
});
