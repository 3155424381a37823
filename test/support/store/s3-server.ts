/**
 * A bucket of an S3-compatible store on a free port, in this process. The store is `fauxqs`: of what npm has, it alone
 * refuses what Amazon's refuses (parts that are too small, unknown uploads, wrong checksums) and aborts multipart uploads.
 * `s3rver` and its heirs do not; but those check signatures, as `signing-s3-server.ts` needs.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { buildApp } from "fauxqs";
import { freePort } from "../process/free-port.ts";

export const bucketName = "uploads-of-tests";

/** An answer in the place of the store's own; undefined lets a request through, "cut" ends after the first byte. */
type Answer = (req: IncomingMessage) => { status: number; code: string } | "cut" | undefined;

export async function startS3Server() {
  const store = buildApp({ logger: false });
  await store.ready();
  const requests: string[] = [];
  let answerInstead: Answer = () => undefined;
  let hold = { target: /^$/, until: Promise.resolve() };

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = req.url ?? "";
    requests.push(`${req.method ?? ""} ${target}`);
    const answer = answerInstead(req);
    if (!answer) {
      if (hold.target.test(target)) await hold.until;
      store.routing(req, res);
      return;
    }
    req.resume();
    if (answer === "cut") {
      res.writeHead(200, { "Content-Length": 1_000 }).write("x", () => req.socket.destroy());
      return;
    }
    const text = `<Error><Code>${answer.code}</Code><Message>on purpose</Message></Error>`;
    res.writeHead(answer.status, { "Content-Type": "application/xml" }).end(req.method === "HEAD" ? "" : text);
  }

  const port = await freePort();
  let server: Server;
  async function listen(): Promise<void> {
    server = createServer((req, res) => void serve(req, res));
    await once(server.listen(port, "127.0.0.1"), "listening");
  }
  async function down(): Promise<void> {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
  await listen();
  const url = `http://127.0.0.1:${String(port)}`;
  const inBucket = (path = "") => `${url}/${bucketName}${path}`;
  await fetch(inBucket(), { method: "PUT" });

  /** Multipart uploads that somebody has sent parts of. */
  const begunUploads = () => {
    const sent = requests
      .map((line) => /^PUT ([^?]*)\?.*\buploadId=([^&]+)/.exec(line))
      .filter((found) => found !== null);
    return [...new Map(sent.map(([, path = "", id = ""]) => [id, path]))].map(([id, path]) => ({ id, path }));
  };

  return {
    url,
    /** What was asked so far: method and target. */
    requests,
    settings: {
      uploads_bucket: `${bucketName}/of/hearth`,
      uploads_endpoint: url,
      uploads_key_id: "the-key-id",
      uploads_secret_key: "the-secret-of-the-key",
    },
    /** The names of the objects below the prefix. */
    async objects(): Promise<string[]> {
      const list = await (await fetch(inBucket("?list-type=2&prefix=of/hearth/"))).text();
      return Array.from(list.matchAll(/<Key>of\/hearth\/([^<]*)<\/Key>/g), ([, key = ""]) => key).sort();
    },
    remove: (name: string) => fetch(inBucket(`/of/hearth/${name}`), { method: "DELETE" }),
    put: (name: string, body: string | Uint8Array<ArrayBuffer>) =>
      fetch(inBucket(`/of/hearth/${name}`), { method: "PUT", body }),
    begunUploads,
    /** The begun ones that were neither completed nor aborted: they still take parts. */
    async openUploads(): Promise<string[]> {
      const open: string[] = [];
      for (const { id, path } of begunUploads()) {
        const probe = await fetch(`${url}${path}?partNumber=9999&uploadId=${id}`, { method: "PUT", body: "probe" });
        if (probe.ok) open.push(id);
      }
      return open;
    },
    /** Nobody listens until `up`. */
    down,
    up: listen,
    answerInstead: (answer: Answer) => void (answerInstead = answer),
    /** Requests of these targets wait until then. */
    hold: (target: RegExp, until: Promise<void>) => void (hold = { target, until }),
    async [Symbol.asyncDispose]() {
      await down();
      await store.close();
    },
  };
}
export type S3Server = Awaited<ReturnType<typeof startS3Server>>;
