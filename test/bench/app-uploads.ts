import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync as readlink, rmSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { ratio, spread } from "./statistics.ts";

const rounds = 9;
const megabytes = 500;
const chunk = Buffer.alloc(1_048_576, 1);
/** As long as the boundaries of browsers: the longer it is, the faster it is looked for. */
const boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

/** Sends 500 MB and returns MB/s as the client sees it. */
async function send(url: string, headers: Record<string, string>, before: Buffer, after: Buffer): Promise<number> {
  const length = before.length + megabytes * chunk.length + after.length;
  const beganAt = performance.now();
  const outgoing = request(url, { method: "POST", headers: { ...headers, "content-length": length } });
  const answered = once(outgoing, "response");
  outgoing.write(before);
  for (let i = 0; i < megabytes; i++) if (!outgoing.write(chunk)) await once(outgoing, "drain");
  outgoing.end(after);
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  if ((response.statusCode ?? 500) >= 300) throw new Error(`${url} answered ${String(response.statusCode)}`);
  return megabytes / ((performance.now() - beganAt) / 1000);
}

/** Resident memory in MB of the process that listens on a port. */
function residentOf(port: string): number {
  const hex = Number(port).toString(16).toUpperCase().padStart(4, "0");
  const line = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .find((one) => one.includes(`:${hex} 00000000:0000 0A`));
  const inode = line?.trim().split(/\s+/)[9];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const files = readdirSync(join("/proc", pid, "fd"));
      const owns = files.some((fd) => readlink(join("/proc", pid, "fd", fd)) === `socket:[${inode ?? ""}]`);
      if (owns) return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(join("/proc", pid, "status"), "utf8"))?.[1]) / 1024;
    } catch {
      // The process is gone, or not ours.
    }
  }
  throw new Error(`nothing listens on ${port}`);
}

/**
 * A 500 MB upload, hashed and checked, against a raw pipe to disk. Both write a file that is not there yet and is removed
 * afterwards: to truncate one would cost a part of the time, and what is kept, the disk's.
 */
export async function measureUploads(
  bare: { url: string; file: string },
  hearth: { url: string; headers: Record<string, string>; removeUploads: () => Promise<void> },
): Promise<boolean[]> {
  // A zip by its first bytes, which is all that the check looks at.
  const before = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="[]"; filename="big.zip"\r\n\r\nPK\x03\x04`,
    "latin1",
  );
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headers = { ...hearth.headers, "content-type": `multipart/form-data; boundary=${boundary}` };
  const { port } = new URL(hearth.url);
  const [raw, ours]: [number[], number[]] = [[], []];
  let growth = 0;
  for (let round = 0; round <= rounds; round++) {
    const rawRate = await send(`${bare.url}/upload`, {}, Buffer.alloc(0), Buffer.alloc(0));
    rmSync(bare.file);
    const atRest = residentOf(port);
    let peak = atRest;
    const watch = setInterval(() => (peak = Math.max(peak, residentOf(port))), 50);
    const rate = await send(
      `${hearth.url}/api/uploads`,
      headers,
      before,
      Buffer.concat([Buffer.from(String(round)), after]),
    );
    clearInterval(watch);
    await hearth.removeUploads();
    if (round === 0) continue;
    raw.push(rawRate);
    ours.push(rate);
    growth = Math.max(growth, peak - atRest);
  }
  console.log(`upload of ${String(megabytes)} MB, MB/s: raw pipe ${spread(raw)}, Hearth ${spread(ours)}`);
  const small = growth <= 40;
  console.log(
    `${small ? "ok  " : "MISS"} resident memory grows by at most ${growth.toFixed(0)} MB during an upload, at most 40`,
  );
  return [ratio("upload / raw pipe", ours, raw, 0.5), small];
}
