/** The runner's HTTP side: maps requests on the socket to calls of the engine, and a closed connection to an abort. */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { z } from "zod";
import type { Method } from "../contract/endpoint.ts";
import {
  detokenizeText,
  embedTexts,
  fitModel,
  generateText,
  getModelStatus,
  getRunnerHealth,
  holdRunner,
  loadModel,
  rankDocuments,
  tokenizeText,
  unloadModel,
} from "../contract/model/runner-operations.ts";
import type {
  RunnerError,
  RunnerErrorCode,
  RunnerGenerateLine,
  runnerHelloSchema,
  runnerLoadLineSchema,
} from "../contract/model/runner.ts";
import { leftOf } from "../http/connection/bodies/left-of.ts";
import { createRouteTable } from "../http/route-table.ts";
import { dataOf, route, type Reply } from "../http/route.ts";
import type { Log } from "../process/log.ts";
import { runInSpan, spanOfRequest } from "../trace/span.ts";
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

type Line = RunnerGenerateLine | z.input<typeof runnerLoadLineSchema | typeof runnerHelloSchema>;

/** Writes lines of a reply. The first one starts the reply; until then, a failure still gets its own status. */
async function writeLines(res: ServerResponse, lines: readonly Line[], signal: AbortSignal): Promise<void> {
  if (!res.headersSent) res.writeHead(200, { "Content-Type": "application/x-ndjson" });
  if (!res.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))) await once(res, "drain", { signal });
}

export function createRunnerApp({ engine, log }: { engine: LlamaEngine; log: Log }): RequestListener {
  let listeners = 0;

  const routes = [
    route(getRunnerHealth, () => ({ data: { status: "ok" as const } })),

    // It stays open: its end tells the other side that this process is gone, and us that nobody needs the models.
    route(holdRunner, async (_input, { res }) => {
      const signal = leftOf(res);
      listeners++;
      signal.addEventListener("abort", () => {
        if (--listeners === 0) engine.unloadAll().catch((error: unknown) => log.error({ err: error }, "unload failed"));
      });
      await writeLines(res, [{ type: "hello", pid: process.pid }], signal);
      return sent;
    }),

    route(loadModel, async ({ body }, { res }) => {
      const signal = leftOf(res);
      let reported = 0;
      const report = (fraction: number) => {
        if (fraction < reported + progressStep && fraction < 1) return;
        reported = fraction;
        if (!signal.aborted) void writeLines(res, [{ type: "progress", fraction }], signal).catch(() => undefined);
      };
      const loaded = await engine.load(body, report, signal);
      if (signal.aborted) {
        await engine.unload(loaded.id);
        return sent;
      }
      await writeLines(res, [loaded], signal);
      res.end();
      return sent;
    }),

    route(fitModel, async ({ body }) => ({ data: await engine.fit(body) })),

    route(generateText, async ({ params: { id }, body }, { res }) => {
      const signal = leftOf(res);
      for await (const lines of engine.generate(id, body, signal)) {
        // Let the engine start its next step first: it would otherwise wait for the write and the readers.
        await setImmediate();
        await writeLines(res, lines, signal);
      }
      res.end();
      return sent;
    }),

    route(getModelStatus, ({ params: { id } }) => ({ data: engine.status(id) })),
    route(unloadModel, async ({ params: { id } }) => {
      await engine.unload(id);
      return { data: {} };
    }),

    route(tokenizeText, async ({ params: { id }, body }, { res }) => ({
      data: await engine.tokenize(id, body, leftOf(res)),
    })),
    route(detokenizeText, ({ params: { id }, body }) => ({ data: engine.detokenize(id, body.tokens) })),
    route(embedTexts, async ({ params: { id }, body }, { res }) => ({
      data: await engine.embed(id, body, leftOf(res)),
    })),
    route(rankDocuments, async ({ params: { id }, body }, { res }) => ({
      data: await engine.rank(id, body, leftOf(res)),
    })),
  ];
  const find = createRouteTable(routes, { decode: (text) => text });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = "", url = "" } = req;
    const match = url.endsWith("/") ? undefined : find(url);
    const found = match?.value.get(method as Method);
    if (!match || !found) throw new RunnerFailure("bad_request", `unknown request ${method} ${url}`);
    const { spec, handle } = found;
    const body = spec.body && (await readRequest(req, spec.body));
    const input = { params: match.params as never, query: undefined as never, body: body as never };
    const reply = (await handle(input, { req, res, session: undefined })) ?? {};
    if (!reply.sent) sendJson(res, reply.status ?? spec.status, dataOf(spec, reply));
  }

  return (req, res) => {
    runInSpan(spanOfRequest(req.headers), () => answer(req, res)).catch((error: unknown) => {
      if (res.closed) return;
      const failure = failureOf(error);
      if (failure.code === "failed" || failure.code === "load_failed") log.warn({ err: error }, "request failed");
      if (!res.headersSent) sendJson(res, statuses[failure.code], failure);
      else res.end(`${JSON.stringify(failure)}\n`);
    });
  };
}

/** A reply that its handler has written line by line. */
const sent: Reply<never> = { sent: true };
