/** The runner's HTTP side: maps requests on the socket to calls of the engine, and a closed connection to an abort. */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { z } from "zod";
import {
  runnerDetokenizeSchema,
  runnerEmbedSchema,
  runnerFitSchema,
  runnerGenerateSchema,
  runnerLoadSchema,
  runnerRankSchema,
  runnerTokenizeSchema,
  type RunnerError,
  type RunnerErrorCode,
} from "../contract/model/runner.ts";
import type { Log } from "../process/log.ts";
import type { LlamaEngine } from "./llama-engine/llama-engine.ts";
import { RunnerFailure } from "./runner-failure.ts";

/** The engine reports progress for each tensor; one line per 5 % is enough. */
const progressStep = 0.05;

const statuses: Record<RunnerErrorCode, number> = {
  not_loaded: 404,
  bad_request: 400,
  not_supported: 400,
  prompt_too_long: 400,
  load_failed: 500,
  out_of_memory: 500,
  failed: 500,
};

function failureOf(error: unknown): RunnerError {
  if (error instanceof RunnerFailure) return { type: "error", code: error.code, message: error.message };
  return { type: "error", code: "failed", message: error instanceof Error ? error.message : String(error) };
}

async function readRequest<Schema extends z.ZodType>(req: IncomingMessage, schema: Schema): Promise<z.output<Schema>> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const parsed = schema.safeParse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  if (!parsed.success) throw new RunnerFailure("bad_request", parsed.error.message);
  return parsed.data;
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { "Content-Type": "application/json" });
  res.end(JSON.stringify(body));
}

/** Writes lines of a reply. The first one starts the reply; until then, a failure still gets its own status. */
async function writeLines(res: ServerResponse, lines: readonly unknown[], signal: AbortSignal): Promise<void> {
  if (!res.headersSent) res.writeHead(200, { "Content-Type": "application/x-ndjson" });
  if (!res.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))) await once(res, "drain", { signal });
}

export function createRunnerApp({ engine, log }: { engine: LlamaEngine; log: Log }): RequestListener {
  async function load(req: IncomingMessage, res: ServerResponse, signal: AbortSignal): Promise<void> {
    const request = await readRequest(req, runnerLoadSchema);
    let reported = 0;
    const report = (fraction: number) => {
      if (fraction < reported + progressStep && fraction < 1) return;
      reported = fraction;
      if (!signal.aborted) void writeLines(res, [{ type: "progress", fraction }], signal).catch(() => undefined);
    };
    const loaded = await engine.load(request, report, signal);
    if (signal.aborted) {
      await engine.unload(loaded.id);
      return;
    }
    await writeLines(res, [loaded], signal);
    res.end();
  }

  async function generate(id: string, req: IncomingMessage, res: ServerResponse, signal: AbortSignal): Promise<void> {
    const request = await readRequest(req, runnerGenerateSchema);
    for await (const lines of engine.generate(id, request, signal)) {
      // Let the engine start its next step first: it would otherwise wait for the write and the readers.
      await setImmediate();
      await writeLines(res, lines, signal);
    }
    res.end();
  }

  let listeners = 0;
  /** Stays open. Its end shows the client that this process ended, and the runner that nobody needs the models. */
  async function stayPresent(res: ServerResponse, signal: AbortSignal): Promise<void> {
    listeners++;
    signal.addEventListener("abort", () => {
      if (--listeners === 0) engine.unloadAll().catch((error: unknown) => log.error({ err: error }, "unload failed"));
    });
    await writeLines(res, [{ type: "hello", pid: process.pid }], signal);
  }

  async function answer(req: IncomingMessage, res: ServerResponse, signal: AbortSignal): Promise<void> {
    const [, root, id, part] = (req.url ?? "/").split("/");
    const what = `${req.method ?? ""} ${root ?? ""}${id === undefined ? "" : "/ID"}${part === undefined ? "" : `/${part}`}`;
    switch (what) {
      case "GET healthz":
        return sendJson(res, 200, { status: "ok" });
      case "GET presence":
        return stayPresent(res, signal);
      case "POST models":
        return load(req, res, signal);
      case "POST fits":
        return sendJson(res, 200, await engine.fit(await readRequest(req, runnerFitSchema)));
      case "POST models/ID/generations":
        return generate(id ?? "", req, res, signal);
      case "GET models/ID":
        return sendJson(res, 200, engine.status(id ?? ""));
      case "POST models/ID/tokens":
        return sendJson(
          res,
          200,
          await engine.tokenize(id ?? "", await readRequest(req, runnerTokenizeSchema), signal),
        );
      case "POST models/ID/texts":
        return sendJson(res, 200, engine.detokenize(id ?? "", (await readRequest(req, runnerDetokenizeSchema)).tokens));
      case "POST models/ID/embeddings":
        return sendJson(res, 200, await engine.embed(id ?? "", await readRequest(req, runnerEmbedSchema), signal));
      case "POST models/ID/rankings":
        return sendJson(res, 200, await engine.rank(id ?? "", await readRequest(req, runnerRankSchema), signal));
      case "DELETE models/ID":
        await engine.unload(id ?? "");
        return sendJson(res, 200, {});
      default:
        throw new RunnerFailure("bad_request", `unknown request ${req.method ?? ""} ${req.url ?? ""}`);
    }
  }

  return (req, res) => {
    const closed = new AbortController();
    res.once("close", () => {
      if (!res.writableFinished) closed.abort();
    });
    answer(req, res, closed.signal).catch((error: unknown) => {
      if (closed.signal.aborted) return;
      const failure = failureOf(error);
      if (failure.code === "failed" || failure.code === "load_failed") log.warn({ err: error }, "request failed");
      if (!res.headersSent) sendJson(res, statuses[failure.code], failure);
      else res.end(`${JSON.stringify(failure)}\n`);
    });
  };
}
