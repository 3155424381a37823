/** At least once: a receiver that is down, refuses or forgets, and a watcher that is killed. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openEventJournal } from "../../../server/watcher/journal/event-journal.ts";
import { createEventSender } from "../../../server/watcher/journal/event-sender.ts";
import { queueFileIn } from "../../../server/watcher/journal/queue-file.ts";
import { createLog } from "../../../server/process/log.ts";
import { newSpan, runInSpan } from "../../../server/trace/span.ts";
import { listen } from "../../support/process/listen.ts";
import { eventsUrl, fileEventReceiver } from "../../support/process/file-event-receiver.ts";
import { freePort } from "../../support/process/free-port.ts";
import { switchProtocols } from "../../support/switch-protocols.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { recordedLog } from "../../support/quiet-log.ts";
import { watchedAtTimes } from "../../support/process/watched-at-times.ts";
import { untilOld, watchedFolder } from "../../support/process/watched-folder.ts";

it("the watcher repeats an event, under the same id, until the receiver takes it, and keeps the order", async () => {
  await using folder = await watchedFolder({ answer: (n) => (n % 3 === 2 ? 202 : n % 3 === 1 ? 503 : 500) });
  await folder.after("echo 1 > a", "modify a");
  await folder.after("mv a b", "move b");
  expect(folder.lines()).toEqual(["create a", "modify a", "move a", "move b"]);
  const { received, refused } = folder.receiver;
  expect(refused).toHaveLength(8);
  expect(new Set([...received, ...refused].map(({ id }) => id)).size).toBe(4);
});

it("both events of a move carry the id of the first in X-Move-Id, and no other event has one", async () => {
  await using folder = await watchedFolder({
    prepare: "echo 1 > a; mkdir sub",
    answer: (n) => (n % 2 === 0 ? 503 : 202),
  });
  await folder.after("mv a b", "move b");
  await folder.after("mv b sub/c", "move sub/c");
  await folder.after("rm sub/c", "delete sub/c");
  const { received, refused } = folder.receiver;
  const [first, , second] = received.map(({ id }) => id);
  expect(received.map(({ ev, move }) => [ev, move])).toEqual([
    ["move", first],
    ["move", first],
    ["move", second],
    ["move", second],
    ["delete", undefined],
  ]);
  expect(refused.map(({ move }) => move)).toEqual(received.map(({ move }) => move));
});

it("half of a move, in or out of the folder, carries no X-Move-Id", async () => {
  await using folder = await watchedFolder({ prepare: "echo 1 > a; mkdir $OUTSIDE/old" });
  await untilOld(join(folder.outside, "old"));
  await folder.after("mv $OUTSIDE/old .; mv a $OUTSIDE/", "delete a");
  expect(folder.receiver.received.map(({ ev, move }) => [ev, move])).toEqual([
    ["move", undefined],
    ["delete", undefined],
  ]);
});

it("the watcher drops an event that the receiver calls invalid instead of blocking all that follow", async () => {
  await using folder = await watchedFolder({ answer: (n) => (n === 0 ? 400 : 202) });
  expect(await folder.after("echo 1 > a", "modify a")).toEqual(["modify a"]);
  expect(folder.receiver.refused.map(({ ev }) => ev)).toEqual(["create"]);
});

it("the deliveries of an event are one trace, of which the watcher's log knows nothing else", async () => {
  using temporary = temporaryFolder();
  const traces: string[] = [];
  await using receiver = await listen((request, response) => {
    traces.push(String(request.headers["traceparent"]).split("-")[1] ?? "");
    request.resume();
    response.writeHead(traces.length === 1 ? 503 : 202).end();
  });
  const onDamage = () => undefined;
  const { journal } = openEventJournal(join(temporary.path, "queue"), { onWriteError: onDamage, onDamage });
  const lines: string[] = [];
  const log = createLog("watcher", { log_level: "info" }, { write: (line) => void lines.push(line) });
  const sender = createEventSender({ to: new URL(receiver.url), journal, log });
  journal.append(["a", "b"].map((id) => ({ id, df: `/${id}`, ev: "create" })));
  runInSpan(newSpan(), () => sender.wake());
  await expect.poll(() => journal.size).toBe(0);
  await sender.stop(0);
  journal.close();
  expect(traces).toEqual([traces[0], traces[0], expect.not.stringMatching(traces[0] ?? "")]);
  expect(traces[2]).toMatch(/^[\da-f]{32}$/);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("")).not.toContain("trace_id");
});

it("the watcher takes a receiver that switches protocols for one that is down", async () => {
  using temporary = temporaryFolder();
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (requests++ > 0) response.writeHead(202).end();
    else switchProtocols(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const onDamage = () => undefined;
  const { journal } = openEventJournal(join(temporary.path, "queue"), { onWriteError: onDamage, onDamage });
  const { lines, log } = recordedLog();
  const to = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const sender = createEventSender({ to, journal, log });
  try {
    journal.append([{ id: "a", df: "/a", ev: "create" }]);
    sender.wake();
    await expect.poll(() => journal.size).toBe(0);
    expect(lines.join("")).toContain("it switches to another protocol (101)");
  } finally {
    await sender.stop(0);
    journal.close();
    server.close();
  }
});

it("the watcher takes a receiver that answers without end for one that is down", async () => {
  using temporary = temporaryFolder();
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (requests++ > 0) return void response.writeHead(202).end();
    response.writeHead(202);
    const drip = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(drip));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const onDamage = () => undefined;
  const { journal } = openEventJournal(join(temporary.path, "queue"), { onWriteError: onDamage, onDamage });
  const { lines, log } = recordedLog();
  const to = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const sender = createEventSender({ to, journal, log, answerWithinMs: 200 });
  try {
    journal.append([{ id: "a", df: "/a", ev: "create" }]);
    sender.wake();
    await expect.poll(() => journal.size).toBe(0);
    expect(lines.join("")).toContain("no reply within 200 ms");
  } finally {
    await sender.stop(0);
    journal.close();
    server.closeAllConnections();
    server.close();
  }
});

it("the watcher names its receiver without the secrets in its URL", async () => {
  await using folder = await watchedAtTimes("", (n) => (n === 0 ? 503 : n === 1 ? 400 : 202));
  const { url } = folder.receiver;
  const to = `${url.replace("://", "://me:secret@")}?token=secret`;
  const watch = await folder.start({ to });
  folder.sh("echo 1 > a; echo 1 > b");
  await expect.poll(() => folder.receiver.lines(folder.dir)).toContain("modify b");
  await expect(folder.start({ to })).rejects.toThrow(`for ${url} by another process`);
  await watch.stop();
  expect(folder.log()).toMatch(new RegExp(`"to":"${url}".*"watching"`));
  expect(folder.log()).toContain(`${url} answers 503`);
  expect(folder.log()).toContain(`${url} answers 400`);
  expect(folder.log()).not.toContain("secret");
});

it("the watcher tells each reason why its receiver takes nothing, once as long as it stays", async () => {
  await using folder = await watchedAtTimes("", (n) => [503, 503, 404][n] ?? 202);
  const watch = await folder.start();
  folder.sh("touch a");
  await expect.poll(() => folder.log()).toContain("accepts events again");
  await watch.stop();
  expect(folder.log().match(/answers \d+/g)).toEqual(["answers 503", "answers 404"]);
});

it("the watcher names where its receiver redirects, without the secrets in that URL", async () => {
  using temporary = temporaryFolder();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(302, { Location: `//me:secret@other.example${request.url ?? ""}` }).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const onDamage = () => undefined;
  const { journal } = openEventJournal(join(temporary.path, "queue"), { onWriteError: onDamage, onDamage });
  const { lines, log } = recordedLog();
  const { port } = server.address() as AddressInfo;
  const sender = createEventSender({ to: new URL(`http://127.0.0.1:${port}/x?token=secret`), journal, log });
  try {
    journal.append([{ id: "a", df: "/a", ev: "create" }]);
    sender.wake();
    await expect.poll(() => lines.join("")).toContain("answers 302 (http://other.example/x)");
    expect(lines.join("")).not.toContain("secret");
  } finally {
    await sender.stop(0);
    journal.close();
    server.close();
  }
});

const main = join(import.meta.dirname, "../../../server/watcher/main.ts");

/** Starts the watcher as a process; resolves when it watches. */
async function startWatcher(args: string[]): Promise<{ child: ChildProcess; log: () => string }> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (log += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  await expect.poll(() => log).toMatch(/\bwatching\b|hearth watch:/);
  return { child, log: () => log };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill(signal);
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

it("the watcher delivers what happened while the receiver was down, also when it was killed in between", async () => {
  using temporary = temporaryFolder();
  const dir = join(temporary.path, "watched");
  const dataDir = join(temporary.path, "data");
  mkdirSync(dir);
  const port = await freePort();
  const url = eventsUrl(port);
  const args = [dir, "--to", url, "--data-dir", dataDir];
  const queued = () => {
    const file = queueFileIn(dataDir, dir, url);
    return existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .flatMap((line) => line.match(/"df"/g) ?? []).length
      : 0;
  };

  const first = await startWatcher(args);
  for (let i = 0; i < 20; i++) writeFileSync(join(dir, `f${i}`), "");
  await expect.poll(queued).toBe(20);
  await end(first.child, "SIGKILL");

  await using receiver = await fileEventReceiver(() => 202, port);
  const second = await startWatcher(args);
  try {
    await expect.poll(() => receiver.received.length).toBe(20);
    expect(receiver.lines(dir)).toEqual(Array.from({ length: 20 }, (_, i) => `create f${i}`));
    writeFileSync(join(dir, "later"), "");
    await expect.poll(() => receiver.lines(dir).at(-1)).toBe("create later");
  } finally {
    expect(await end(second.child, "SIGTERM")).toBe(0);
  }
  expect(queued()).toBeLessThanOrEqual(21);

  const third = await startWatcher(args);
  writeFileSync(join(dir, "last"), "");
  await expect.poll(() => receiver.lines(dir).at(-1)).toBe("create last");
  await end(third.child, "SIGTERM");
  // A watcher that has ended before it read the last answer sends that event again.
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(22);
});

it("the watcher ends with code 2 and one line that names the problem of its command line", async () => {
  for (const [args, named] of [
    [[], "folder to watch"],
    [["/no/such/folder"], "/no/such/folder"],
    [[".", "--to", "nowhere"], '"nowhere"'],
    [[".", "--exclude", "["], '"["'],
    [[".", "--nonsense"], "--nonsense"],
  ] as const) {
    const { child, log } = await startWatcher([...args]);
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).toBe(2);
    expect(log().trim().split("\n")).toHaveLength(1);
    expect(log()).toContain(named);
  }
});
