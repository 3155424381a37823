import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { sendSignalToGroup } from "../support/process/processes.ts";
import { ratio, spread } from "./statistics.ts";

/** Ends a program that leads a process group of its own, with all that it has started: a shell leaves its pipeline behind. */
async function endGroup(leader: ChildProcess): Promise<void> {
  if (leader.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return;
  const ended = once(leader, "exit");
  sendSignalToGroup(leader.pid, "SIGTERM");
  await ended;
}

/** From the write of a file to its notification at a receiver: `hearth watch` against inotifywait piped to curl. */
export async function measureFileEvents(folder: string, root: string, writes = 100): Promise<boolean> {
  const arrived = new Map<string, () => void>();
  const receiver = createServer((req, res) => {
    void text(req).then((body) => {
      arrived.get(new URLSearchParams(body).get("df") ?? "")?.();
      res.writeHead(202).end();
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/`;

  async function latencies(name: string, startSender: (watched: string) => ChildProcess): Promise<number[]> {
    const watched = join(folder, `watched-${name}`);
    mkdirSync(watched);
    const sender = startSender(watched);
    const measured: number[] = [];
    /** Whether a file that is written is told within some time. */
    async function isTold(file: string, withinMs: number): Promise<boolean> {
      const path = join(watched, `${file}.txt`);
      const { promise, resolve } = Promise.withResolvers<void>();
      arrived.set(path, resolve);
      writeFileSync(path, "x");
      return Promise.race([promise.then(() => true), wait(withinMs).then(() => false)]);
    }
    try {
      // Whether the sender is ready.
      for (let i = 0; !(await isTold(`first ${String(i)}`, 300)); i++)
        if (i === 200) throw new Error(`${name}: no notification within a minute`);
      for (let i = 0; i < writes; i++) {
        const beganAt = performance.now();
        if (!(await isTold(String(i), 5_000))) throw new Error(`${name}: no notification of file ${String(i)}`);
        measured.push(performance.now() - beganAt);
      }
    } finally {
      await endGroup(sender);
    }
    return measured;
  }

  const ours = await latencies("hearth", (watched) =>
    spawn(process.execPath, ["dist/cli.js", "watch", watched, "--to", url, "--data-dir", join(folder, "watcher")], {
      cwd: root,
      stdio: "ignore",
      detached: true,
    }),
  );
  const theirs = await latencies("inotifywait", (watched) =>
    spawn(
      "bash",
      [
        "-c",
        `inotifywait -q -m -r -e create,modify,attrib,move,delete --format '%w%f' '${watched}' | while read -r f; do curl -s -o /dev/null --data-urlencode "df=$f" -d ev=create ${url}; done`,
      ],
      { stdio: "ignore", detached: true },
    ),
  );
  receiver.close();
  receiver.closeAllConnections();
  console.log(
    `file event, ms from write to receiver: inotifywait | curl ${spread(theirs, 1)}, hearth watch ${spread(ours, 1)}`,
  );
  return ratio("hearth watch / inotifywait | curl", ours, theirs, 2, "at most");
}
