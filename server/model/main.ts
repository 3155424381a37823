/** The model service: the Ollama API, the library and the scheduling. Native code runs in the runner, never here. */
import { stat } from "node:fs/promises";
import type { FromService } from "../contract/process/process-messages.ts";
import type { Settings } from "../contract/process/settings.ts";
import type { Bounds } from "../file-system/bounded-file.ts";
import { byConsoleHeader } from "../contract/console/by-console.ts";
import { createTokenCheck } from "../http/conventions/bearer-token.ts";
import { createKeyGate } from "../http/keys/key-gate.ts";
import { createServiceMetrics } from "../http/metrics/service-metrics.ts";
import { createSpanExporter } from "../http/recording/span-exporter.ts";
import { recordRequests } from "../http/recording/request-recorder.ts";
import { PortInUseError } from "../http/connection/listen.ts";
import { serve } from "../http/connection/serve.ts";
import { collectGarbage } from "../process/collect-garbage.ts";
import { createKeyReader } from "../process/keys/key-file.ts";
import { createDrain, type Drain } from "../process/lifetime/drain.ts";
import { possibleConnections } from "../process/open-files.ts";
import { defaultLimits } from "../http/connection/server-limits.ts";
import { foreignDeadlineMs, mostTemplateCharacters } from "../foreign/foreign-limits.ts";
import { createLog, type Log } from "../process/log.ts";
import { createTrialRequests } from "../process/lifetime/ask-trial.ts";
import { answerPings, connectParent, stopWithParent, type ParentLink } from "../process/lifetime/parent-link.ts";
import { readStart, type Start } from "../process/lifetime/read-start.ts";
import { holdData } from "../process/lifetime/services-lock.ts";
import { usersOrigins } from "../process/settings/project-addresses.ts";
import { boundsOf, readOrigins } from "../process/settings/read-settings.ts";
import { originsFrom } from "./wire/cors.ts";
import { createModelApp } from "./create-model-app.ts";
import { createDeliverEvent } from "./reporting/deliver-event.ts";
import { createDeliverExchanges } from "./reporting/deliver-exchanges.ts";
import { hasLeft, portHolder } from "./wire/ollama/port-holder.ts";
import { checkModelFile } from "./models/library/plain-file.ts";
import { plainMethodRefusal } from "./wire/mount-routes.ts";
import { attentionFrom } from "./options/attention-settings.ts";
import { findOllamaStore, registryOptions, upstreamsOptions } from "./start-options.ts";
import { withTrials } from "./engine/with-trials.ts";
import { createRunnerEngine } from "./engine/runner-engine.ts";
import { schedulingFrom } from "./engine/scheduler/scheduling-environment.ts";
import { starterConfidence } from "./starter/starter.ts";
import { starterFile } from "./starter/starter-file.ts";

/** An error that a restart cannot solve. */
class StartError extends Error {
  override readonly name = "StartError";
  readonly code: string;
  /** The port belongs to another program. */
  readonly port: number | undefined;
  constructor(code: string, message: string, port?: number) {
    super(message);
    this.code = code;
    this.port = port;
  }
}

interface Running {
  readonly ready: Extract<FromService, { type: "ready" }>;
  readonly findProblem: () => Promise<string | undefined> | string | undefined;
  stop(): Promise<void>;
}

async function checkModelSetting(file: string | undefined, bounds: Bounds): Promise<void> {
  if (file === undefined || (await isFolder(file))) return;
  await checkModelFile(file, bounds).catch((error: unknown) => {
    throw new StartError("bad_model_file", `--model ${file} cannot be used: ${(error as Error).message}`);
  });
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Reads settings and environment. @throws StartError for an invalid value */
function readSetting<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new StartError("bad_setting", (error as Error).message);
  }
}

/** Our port is in use. An Ollama that holds it is used instead of our own service, which starts once that has left. */
async function yieldPort(settings: Settings): Promise<Running> {
  const { host, model_port: port } = settings;
  const holder = await portHolder(host, port);
  if (holder?.program !== "Ollama")
    throw new StartError(
      "port_in_use",
      `port ${String(port)} (setting model_port) is in use by another ${holder?.program ?? "program"}; choose another with --model-port`,
      port,
    );
  const { url } = holder;
  const idle = setInterval(() => undefined, 2 ** 30);
  return {
    ready: { type: "ready", external: true, urls: { model: url } },
    findProblem: async () => ((await hasLeft(url)) ? `Ollama at ${url} has stopped` : undefined),
    stop: async () => clearInterval(idle),
  };
}

/** The application server of this run, if there is one. */
interface AppServer {
  readonly url: () => string | undefined;
  readonly token: string | undefined;
  /** The supervisor reports it when the server moves to another port. */
  follow(link: ParentLink): void;
}

function findAppServer({ appUrl, token }: Start): AppServer {
  let url = appUrl;
  return {
    url: () => url,
    token,
    follow(link) {
      link.onMessage((message) => {
        if (message.type !== "services") return;
        url = message.services.find(({ name }) => name === "app")?.urls["app"] ?? url;
      });
    },
  };
}

/** Delivers exchanges to the application server. Without one, the model service records nothing. */
function startRecording(settings: Settings, log: Log, { url, token }: AppServer) {
  if (!settings.record_requests || url() === undefined || token === undefined) return undefined;
  const { take, close } = createDeliverExchanges({ appUrl: url, token, log });
  const record = recordRequests({
    service: "model",
    take,
    // The console polls these addresses; its requests are not recorded.
    ignore: (path, headers) =>
      headers[byConsoleHeader] !== undefined && /^\/api\/(tags|ps|show|fit|upstreams)$/i.test(path),
    now: Date.now,
    timesWrites: true,
  });
  return { record, close };
}

async function start(from: Start, log: Log, appServer: AppServer, drain: Drain): Promise<Running> {
  const { settings, runnerSocket: socketPath } = from;
  const { host, model_port: port } = settings;
  const settingOrigins = readOrigins(settings);
  const bounds = { modelsDir: boundsOf("data_dir", settingOrigins), extraFile: boundsOf("model", settingOrigins) };
  await checkModelSetting(settings.model, bounds.extraFile);
  if (socketPath === undefined) throw new StartError("no_socket", "HEARTH_RUNNER_SOCKET must name the runner's socket");
  const warn = (message: string) => log.warn(message);
  const attention = attentionFrom(process.env, warn);
  const users = usersOrigins(settings, readOrigins(settings));
  const origins = [...users, ...readSetting(() => originsFrom(process.env, warn))];
  const scheduling = schedulingFrom(process.env, warn);
  const { loadStallMs } = scheduling;
  const engine = withTrials(
    createRunnerEngine({ socketPath, attention, ...(loadStallMs !== undefined && { loadStallMs }) }),
    createTrialRequests(parent),
  );
  const recording = startRecording(settings, log, appServer);
  const service = createModelApp({
    engine,
    log,
    allowedHosts: settings.allowed_hosts,
    trustedProxies: settings.trusted_proxies,
    keys: createKeyGate({ keys: createKeyReader(settings.data_dir) }),
    requireKeys: settings.require_keys,
    metrics: createServiceMetrics(settings.metrics),
    isDraining: drain.hasBegun,
    ...(appServer.token !== undefined && { isToken: createTokenCheck(appServer.token) }),
    origins,
    dataDir: settings.data_dir,
    ollamaStore: findOllamaStore(settings, process.env),
    registry: registryOptions(settings, process.env, log),
    upstreams: upstreamsOptions(settings, process.env, log),
    templateLimits: { deadlineMs: foreignDeadlineMs, mostCharacters: mostTemplateCharacters },
    scheduling,
    isOpen: settings.undeclared_members === "open",
    extraFile: settings.model,
    bounds,
    starterFile: starterFile(),
    starterConfidence,
    deliverEvent: createDeliverEvent(appServer.url, appServer.token),
    record: recording?.record,
    exportSpan: createSpanExporter(settings.otlp_endpoint, "model"),
    onIdle: collectGarbage,
  });
  try {
    const limits = {
      ...defaultLimits,
      maxConnections: possibleConnections(),
      onBodiesFreed: collectGarbage,
    };
    const listener = await serve(service.handler, { host, port, limits, log, methodBody: plainMethodRefusal });
    return {
      ready: { type: "ready", urls: { model: listener.url } },
      findProblem: listener.findProblem,
      async stop() {
        // By default streams to clients are cut, because a generation would go on until its end.
        await listener.close(drain.graceMs ?? 0);
        await service.close();
        await recording?.close();
      },
    };
  } catch (error) {
    engine.close();
    if (error instanceof PortInUseError) return yieldPort(settings);
    throw error;
  }
}

const parent = connectParent();
const startInput = await readStart();
const { settings } = startInput;
// Files in the user's own store keep the user's umask.
if (!settings.models_dir_writable) process.umask(0o077);
const log = createLog("model", settings);
holdData(settings.data_dir);
const appServer = findAppServer(startInput);
const drain = createDrain(settings);
try {
  const running = await start(startInput, log, appServer, drain);
  stopWithParent(parent, () => running.stop(), drain);
  answerPings(parent, () => running.findProblem());
  appServer.follow(parent);
  const { external, urls } = running.ready;
  log.info({ url: urls["model"], external }, "listening");
  parent.send(running.ready);
} catch (error) {
  const code = error instanceof StartError ? error.code : "cannot_start";
  const message = error instanceof StartError ? error.message : `the model service cannot start: ${String(error)}`;
  const port = error instanceof StartError ? error.port : undefined;
  parent.send({ type: "failed", code, message, ...(port !== undefined && { port }) });
  // The supervisor shows only one line.
  if (!(error instanceof StartError && parent.hasParent)) log.fatal(message);
  process.exitCode = 1;
}
