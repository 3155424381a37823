/** A server that says what the test wants it to, in place of an engine that is an upstream. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parseUpstream } from "../../../server/contract/process/upstream-setting.ts";
import { defaultPoolTuning, type PoolTuning } from "../../../server/model/upstream/upstream-pool.ts";
import { freePort } from "../process/free-port.ts";

export interface AskedUpstream {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly traceparent: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a wire object, looked at by the test
  readonly body: any;
  /** Resolves when the connection of the request is over. */
  readonly closed: Promise<void>;
}

export type UpstreamAnswer = (res: ServerResponse, asked: AskedUpstream) => Promise<void> | void;

/** Checks that do not get in the way of what is tested: the first one, however late that is, and then none for minutes. */
export const quietTuning: PoolTuning = {
  ...defaultPoolTuning,
  firstCheckMs: 60_000,
  checkEveryMs: 600_000,
  checkWithinMs: 60_000,
  firstPauseMs: 600_000,
};
/** Checks as quick as a test needs them. */
export const quickTuning: PoolTuning = {
  ...defaultPoolTuning,
  checkEveryMs: 20,
  checkWithinMs: 200,
  firstPauseMs: 10,
  longestPauseMs: 40,
};

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of req) text += String(chunk);
  return text === "" ? undefined : JSON.parse(text);
}

export const json = (res: ServerResponse, status: number, value: unknown) => {
  res.writeHead(status, { "Content-Type": "application/json" });
  res.end(JSON.stringify(value));
};

/** Lines of a chat in Ollama's API: a line for each text, and the last one. */
const line = (content: string, more: object) =>
  `${JSON.stringify({ message: { role: "assistant", content }, ...more })}\n`;
export const ollamaLine = (content: string) => line(content, { done: false });
export const ollamaEnd = line("", { done: true, done_reason: "stop", eval_count: 2, prompt_eval_count: 3 });

/** Answers in so many pieces. */
export const says =
  (...texts: string[]): UpstreamAnswer =>
  (res) =>
    void res.end(texts.map(ollamaLine).join("") + ollamaEnd);
export const waits: UpstreamAnswer = () => undefined;
/** Events of a chat in OpenAI's API. */
export const event = (value: unknown) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
export const delta = (fields: object, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta: fields, finish_reason }] });

export async function startScriptedUpstream(models: readonly string[] = ["m"]) {
  const asked: AskedUpstream[] = [];
  const upstream = {
    asked,
    /** The requests for answers: everything but lists. */
    answer: says("Hello"),
    /** What a list does instead of answering, if anything. */
    list: undefined as UpstreamAnswer | undefined,
    lists: 0,
    /** What it says of the models that run. */
    running: [] as object[],
  };
  const server = createServer((req, res) => {
    void (async () => {
      const closed = new Promise<void>((resolve) => res.once("close", resolve));
      const path = req.url ?? "";
      const { authorization, traceparent } = req.headers;
      const one = { path, authorization, traceparent: String(traceparent), body: await bodyOf(req), closed };
      if (path === "/api/tags" || path === "/v1/models") {
        upstream.lists++;
        if (upstream.list) return upstream.list(res, one);
        if (path === "/v1/models") return json(res, 200, { data: models.map((id) => ({ id, max_model_len: 8192 })) });
        const listed = models.map((name) => ({ name, size: 7, digest: "a".repeat(64), capabilities: ["completion"] }));
        return json(res, 200, { models: listed });
      }
      if (path === "/api/ps") return json(res, 200, { models: upstream.running });
      asked.push(one);
      await upstream.answer(res, one);
    })();
  });
  const port = await freePort();
  const listen = async () => void (await once(server.listen(port, "127.0.0.1"), "listening"));
  await listen();
  return Object.assign(upstream, {
    port,
    url: `http://127.0.0.1:${String(port)}`,
    /** As when its process ends: its connections break, and its port is closed. */
    async die() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    revive: listen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** The setting `upstreams` as the model service takes it. */
export const upstreamsOf = (texts: readonly string[], tuning = quietTuning) => ({
  upstreams: texts.map(parseUpstream),
  tuning,
});
