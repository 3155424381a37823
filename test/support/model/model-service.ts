/** The model service on a free port, over any engine, with GGUF files of its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RulesInput } from "../../../server/contract/model/model-rules.ts";
import { EngineError, type Engine } from "../../../server/model/engine/engine.ts";
import { createModelApp, type ModelAppOptions } from "../../../server/model/create-model-app.ts";
import { starterFile } from "../../../server/model/starter/starter-file.ts";
import { defaultLimits, type ServerLimits } from "../../../server/http/connection/server-limits.ts";
import { createKeyReader, openKeyFile } from "../../../server/process/keys/key-file.ts";
import { createKeyGate } from "../../../server/http/keys/key-gate.ts";
import { plainMethodRefusal } from "../../../server/model/wire/mount-routes.ts";
import { serve } from "../../../server/http/connection/serve.ts";
import { templateLimits } from "./chat-templates.ts";
import { quietLog } from "../quiet-log.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { writeRandomGguf, type RandomGgufOptions } from "./random-gguf.ts";

export interface ModelServiceOptions extends Partial<Omit<ModelAppOptions, "engine" | "dataDir">> {
  /** Files to put into the models folder, by name. */
  readonly files?: Readonly<Record<string, RandomGgufOptions>>;
  /** Scripted models by their names: rules, or the text of a file of them. */
  readonly rules?: Readonly<Record<string, RulesInput | string>>;
  readonly limits?: Partial<ServerLimits>;
}

const modelDir = join(import.meta.dirname, "../../../server/model");

export async function startModelService(
  engine: Engine,
  { files = {}, rules = {}, limits = {}, ...options }: ModelServiceOptions = {},
) {
  const folder = temporaryFolder();
  const modelsDir = join(folder.path, "models");
  mkdirSync(modelsDir);
  for (const [name, shape] of Object.entries(files)) writeRandomGguf(join(modelsDir, name), shape);
  for (const [name, text] of Object.entries(rules))
    writeFileSync(join(modelsDir, `${name}.rules.yaml`), typeof text === "string" ? text : JSON.stringify(text));
  const service = createModelApp({
    engine,
    log: quietLog,
    allowedHosts: [],
    origins: ["loopback"],
    dataDir: folder.path,
    extraFile: undefined,
    starterFile: starterFile(modelDir),
    templateLimits,
    keys: createKeyGate({ keys: createKeyReader(folder.path) }),
    requireKeys: "auto",
    deliverEvent: () => undefined,
    ...options,
  });
  const listener = await serve(service.handler, {
    host: "127.0.0.1",
    port: 0,
    limits: { ...defaultLimits, ...limits },
    methodBody: plainMethodRefusal,
  });
  const { url, port, server } = listener;
  return {
    url,
    port,
    server,
    modelsDir,
    /** Where its keys are. */
    dataDir: folder.path,
    keys: openKeyFile(folder.path),
    /** POST with a JSON body. */
    post: (path: string, body: unknown, init: RequestInit = {}) =>
      fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body), ...init }),
    get: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init),
    /** How many requests wait for a model, the one it is loaded for included, or for their turn, by its metrics. */
    waiting: async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(/^hearth_model_requests_waiting (\d+)$/m.exec(text)?.[1]);
    },
    async [Symbol.asyncDispose]() {
      await listener.close(0);
      await service.close();
      folder[Symbol.dispose]();
    },
  };
}
const refuse = () => Promise.reject(new EngineError("unavailable", "there is no engine"));
/** For tests whose models are all scripted. */
export const noEngine: Engine = { load: refuse, fit: refuse, close: () => undefined };

/** The model service with scripted models, and without an engine. */
export const startRulesService = (
  rules: NonNullable<ModelServiceOptions["rules"]>,
  options: ModelServiceOptions = {},
) => startModelService(noEngine, { ...options, rules });

export type ModelService = Awaited<ReturnType<typeof startModelService>>;

// oxlint-disable-next-line typescript/no-explicit-any -- a wire object, looked at by the test
export type Wire = any;

/** The objects of an NDJSON reply. */
export const lines = async (reply: Response): Promise<Wire[]> =>
  (await reply.text())
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Status and `error` of a refusal. */
export const refusal = async (reply: Response): Promise<[number, unknown]> => [
  reply.status,
  ((await reply.json()) as { error: unknown }).error,
];

export const textOf = (chunks: readonly Wire[]): string =>
  chunks.map((chunk) => String(chunk.message?.content ?? chunk.response)).join("");
