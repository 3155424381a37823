/** Composition root of the model service: creates the request handler from settings and an engine. */
import type { RequestListener } from "node:http";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { Settings } from "../contract/process/settings.ts";
import type { TemplateLimits } from "../foreign/template-messages.ts";
import { createTemplateRenderer } from "../foreign/template-renderer.ts";
import { takePassedOn } from "../http/connection/peer/caller.ts";
import { believeProxies } from "../http/connection/peer/forwarded.ts";
import { allowedHosts } from "../http/conventions/allowed-hosts.ts";
import { admitBy, guardControl } from "../http/conventions/control.ts";
import { health } from "../http/conventions/health.ts";
import type { KeyGate } from "../http/keys/key-gate.ts";
import type { MetricRegistry } from "../http/metrics/metric-registry.ts";
import { metricsSteps } from "../http/metrics/service-metrics.ts";
import type { Middleware } from "../http/middleware.ts";
import { pipeline } from "../http/pipeline.ts";
import type { ExportSpan } from "../http/recording/span-exporter.ts";
import { requestLog } from "../http/recording/request-log.ts";
import { recordBody } from "../http/recording/request-recorder.ts";
import type { Log } from "../process/log.ts";
import { keptBytes, removeKeptPrompts } from "../process/prompt-cache-files.ts";
import type { Resolve } from "./chat-completion.ts";
import { createCompletions } from "./chat/completions.ts";
import { createChatTemplates } from "./chat/prompt/chat-template.ts";
import type { Engine } from "./engine/engine.ts";
import { addModelMetrics } from "./engine/model-metrics.ts";
import { contentId } from "./engine/scheduler/load-options.ts";
import { Scheduler } from "./engine/scheduler/scheduler.ts";
import type { SchedulingSettings } from "./engine/scheduler/scheduling-environment.ts";
import { findModel, unknownAsSent } from "./models/find-model.ts";
import { openModelStores, type ModelStoresOptions, type RegistryOptions } from "./models/open-model-stores.ts";
import { createAnswerSpeeds } from "./reporting/answer-speeds.ts";
import type { DeliverEvent } from "./reporting/deliver-event.ts";
import { logRecoveredCalls } from "./reporting/recovered-calls.ts";
import type { NoteUsage } from "./reporting/usage.ts";
import { withScriptedModels } from "./scripted/with-scripted-models.ts";
import { starter, starterParameters } from "./starter/starter.ts";
import { openUpstreams, type UpstreamsOptions } from "./upstream/open-upstreams.ts";
import { createUpstreamCompletions } from "./upstream/upstream-completions.ts";
import { cloudRoutes } from "./wire/cloud-routes.ts";
import { modelCors } from "./wire/cors.ts";
import { createKeyGuard } from "./wire/guard-keys.ts";
import { mountRoutes } from "./wire/mount-routes.ts";
import { ollamaRoutes } from "./wire/ollama/ollama-routes.ts";
import { refuseByFamily, refuseRoute, v1Routes } from "./wire/v1-routes.ts";

export interface ModelAppOptions {
  readonly engine: Engine;
  readonly log: Log;
  /** The setting allowed_hosts. */
  readonly allowedHosts: readonly string[];
  /** The setting trusted_proxies. */
  readonly trustedProxies?: readonly string[];
  /** Whether it is the run's console token, where there is one. */
  readonly isToken?: (token: string | undefined) => boolean;
  readonly keys: KeyGate;
  /** Who must send one. */
  readonly requireKeys: Settings["require_keys"];
  readonly metrics?: MetricRegistry | undefined;
  /** True once the service is being ended. */
  readonly isDraining?: () => boolean;
  /** Origins beyond the usual ones: the setting cors_origins, and OLLAMA_ORIGINS. */
  readonly origins: readonly string[];
  /** Its folder `models` holds our own store, in Ollama's layout, and GGUF files. */
  readonly dataDir: string;
  /** An Ollama store to serve models from. With `writable`, models are pulled and created there instead. */
  readonly ollamaStore?: ModelStoresOptions["ollamaStore"];
  readonly registry?: RegistryOptions;
  readonly upstreams?: UpstreamsOptions;
  readonly templateLimits: TemplateLimits;
  readonly extraFile: string | undefined;
  readonly bounds?: ModelStoresOptions["bounds"];
  readonly starterFile: string;
  /** How sure the starter model has to be, from 0 to 1. Default: 0. */
  readonly starterConfidence?: number;
  readonly deliverEvent: DeliverEvent;
  /** Gets the span of each request. */
  readonly exportSpan?: ExportSpan | undefined;
  /** Sees every request except health checks. */
  readonly record?: Middleware | undefined;
  readonly scheduling?: SchedulingSettings;
  /** Whether answers in a format may have members that its schema does not name but allows. */
  readonly isOpen?: boolean;
  /** Called after the last model was unloaded. */
  readonly onIdle?: () => void;
}

export interface ModelApp {
  readonly handler: RequestListener;
  /**
   * Ends loads and frees the memory; resolves when all work for clients has ended. They must be disconnected before.
   */
  close(): Promise<void>;
}

const defaults = { keepAliveMs: 5 * 60_000, maxLoaded: 3, maxQueue: 512 };

/** The installed models and the scheduler of the loaded ones, which tell each other of an unload. */
function openModels(options: ModelAppOptions, modelsDir: string, upstreams: ReturnType<typeof openUpstreams>) {
  const { engine, log, deliverEvent, scheduling } = options;
  const renderer = createTemplateRenderer(options.templateLimits);
  const stores = openModelStores({
    modelsDir,
    ollamaStore: options.ollamaStore,
    extraFile: options.extraFile,
    bounds: options.bounds,
    starter: { path: options.starterFile, parameters: starterParameters },
    registry: options.registry ?? {},
    renderer,
    remoteModels: upstreams.models,
    nameUpstream: upstreams.nameUpstream,
    forgetPrompts: (path) => removeKeptPrompts(options.dataDir, contentId({ path, digest: "" })),
    log,
  });
  const scheduler = new Scheduler({
    ...defaults,
    ...scheduling,
    engine: withScriptedModels(engine),
    onLoaded: (name) => deliverEvent("model.loaded", name),
    onUnloaded(name) {
      deliverEvent("model.unloaded", name);
      // Its files may have been in use when they were to be removed.
      stores.creating.writes
        .prune([])
        .catch((error: unknown) => log.warn({ err: error }, "the store cannot be pruned"));
      if (scheduler.residents().length === 0) options.onIdle?.();
    },
  });
  return { ...stores, scheduler, renderer, templates: createChatTemplates(renderer) };
}

/** Answers by the engine here and by upstreams, and finds which of the two a model needs. */
function openCompletions(
  options: ModelAppOptions,
  { library, scheduler, templates }: ReturnType<typeof openModels>,
  upstreams: ReturnType<typeof openUpstreams>,
  noteUsage: NoteUsage,
) {
  const { scheduling, starterFile: file, starterConfidence: least = 0 } = options;
  const contextLength = scheduling?.contextLength;
  const optionDefaults = contextLength === undefined ? {} : { num_ctx: contextLength };
  const speeds = createAnswerSpeeds();
  const isOpen = options.isOpen === true;
  const remoteModels = () => upstreams.models.list();
  const byEngine = createCompletions({
    ...{ scheduler, speeds, noteUsage, templates, isOpen, remoteModels },
    defaults: optionDefaults,
  });
  const here = starter(byEngine, { file, least, noteUsage });
  const remote = createUpstreamCompletions(upstreams.pool, noteUsage);
  const resolve: Resolve = async (sent, unknown = unknownAsSent) => {
    const model = await findModel(library, sent, unknown);
    return { model, completions: model.remote === undefined ? here : remote };
  };
  return { resolve, speeds, isOpen, defaults: optionDefaults };
}

export function createModelApp(options: ModelAppOptions): ModelApp {
  const { engine, log, keys, metrics } = options;
  const modelsDir = join(options.dataDir, "models");
  const upstreams = openUpstreams(modelsDir, options.upstreams ?? {}, log);
  const models = openModels(options, modelsDir, upstreams);
  const isToken = options.isToken ?? (() => false);
  const { guard, spend, keyOfCaller } = createKeyGuard({ keys, required: options.requireKeys, isToken });
  const meter = metrics && addModelMetrics(metrics, models.scheduler, () => keptBytes(options.dataDir));
  const logRecovery = logRecoveredCalls(log);
  const completions = openCompletions(options, models, upstreams, (usage) => {
    meter?.(usage);
    logRecovery(usage);
    spend(usage.promptTokens + usage.generatedTokens);
  });
  const deps = {
    ...models,
    ...completions,
    engine,
    log,
    isToken,
    keyOfCaller,
    pool: upstreams.pool,
    deliverEvent: options.deliverEvent,
    parallel: options.scheduling?.parallel,
    totalMemory: options.registry?.totalMemory ?? totalmem(),
  };
  const routes = { ...ollamaRoutes(deps), ...v1Routes(deps), ...cloudRoutes(deps) };
  const { serve, allAnswered } = mountRoutes(routes, refuseRoute);
  const hosts = allowedHosts({ allowed: options.allowedHosts });
  const admitsMetrics = guardControl({ isPage: () => false, admit: admitBy(isToken, keys, "metrics:read") });
  const steps = [
    health(options.isDraining),
    takePassedOn(isToken),
    believeProxies(options.trustedProxies ?? []),
    ...metricsSteps(metrics, [hosts, admitsMetrics]),
    requestLog(log, { exportSpan: options.exportSpan }),
    options.record,
    hosts,
    modelCors(options.origins),
    guard,
    recordBody,
    serve,
  ];
  return {
    handler: pipeline(steps, refuseByFamily(log)),
    async close() {
      models.close();
      upstreams.close();
      await models.scheduler.close();
      await models.renderer.close();
      engine.close();
      await allAnswered();
    },
  };
}
