/** Composition root of the model service: creates the request handler from settings and an engine. */
import type { RequestListener } from "node:http";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import type { TemplateLimits } from "../foreign/template-messages.ts";
import { createTemplateRenderer } from "../foreign/template-renderer.ts";
import { allowedHosts } from "../http/conventions/allowed-hosts.ts";
import { health } from "../http/conventions/health.ts";
import { takePassedOn } from "../http/connection/peer/caller.ts";
import { believeProxies } from "../http/connection/peer/forwarded.ts";
import { admitBy, guardControl } from "../http/conventions/control.ts";
import type { KeyGate } from "../http/keys/key-gate.ts";
import type { MetricRegistry } from "../http/metrics/metric-registry.ts";
import { metricsSteps } from "../http/metrics/service-metrics.ts";
import { sendJson, sendText } from "../http/conventions/send-json.ts";
import type { Middleware } from "../http/middleware.ts";
import { apiVersion } from "./wire/ollama/api-version.ts";
import { pipeline } from "../http/pipeline.ts";
import { requestLog } from "../http/recording/request-log.ts";
import { recordBody } from "../http/recording/request-recorder.ts";
import type { Log } from "../process/log.ts";
import type { Settings } from "../contract/process/settings.ts";
import { createKeyGuard } from "./wire/guard-keys.ts";
import { addModelMetrics } from "./engine/model-metrics.ts";
import { modelCors } from "./wire/cors.ts";
import { createCompletions } from "./chat/completions.ts";
import { createGuide } from "./starter/guide.ts";
import { topicsFile, topicsIn } from "./starter/topics.ts";
import { createAnswerSpeeds } from "./reporting/answer-speeds.ts";
import type { DeliverEvent } from "./reporting/deliver-event.ts";
import type { NoteUsage } from "./reporting/usage.ts";
import type { Engine } from "./engine/engine.ts";
import { openUpstreams, type UpstreamsOptions } from "./upstream/open-upstreams.ts";
import { placeCompletions } from "./chat/place-completions.ts";
import { greeting, serverName } from "./wire/ollama/port-holder.ts";
import { createUpstreamCompletions } from "./upstream/upstream-completions.ts";
import { upstreamsRoute } from "./wire/ollama/upstreams-route.ts";
import { openModelStores, type ModelStoresOptions, type RegistryOptions } from "./models/open-model-stores.ts";
import { createChatTemplates } from "./chat/prompt/chat-template.ts";
import { cloudRoutes } from "./wire/cloud-routes.ts";
import { mountRoutes, type Handler } from "./wire/mount-routes.ts";
import { chatRoute } from "./wire/ollama/chat-route.ts";
import { blobHeadRoute, blobPostRoute } from "./wire/ollama/blob-routes.ts";
import { copyRoute, deleteModelRoute } from "./wire/ollama/copy-delete-routes.ts";
import { createRoute } from "./wire/ollama/create-route.ts";
import { ollamaEmbeddingsRoute, embedRoute } from "./wire/ollama/embed-routes.ts";
import { fitRoute } from "./wire/ollama/fit-route.ts";
import { schemaRoute } from "./wire/ollama/schema-route.ts";
import { generateRoute } from "./wire/ollama/generate-route.ts";
import { psRoute, showRoute, tagsRoute } from "./wire/ollama/library-routes.ts";
import { pullRoute, pushRoute } from "./wire/ollama/pull-route.ts";
import { detokenizeRoute, rerankRoute, tokenizeRoute } from "./wire/ollama/text-routes.ts";
import { refuseByFamily, refuseRoute, v1Routes } from "./wire/v1-routes.ts";
import { createScheduler } from "./engine/scheduler/scheduler.ts";
import type { SchedulingSettings } from "./engine/scheduler/scheduling-environment.ts";

export interface ModelAppOptions {
  readonly engine: Engine;
  readonly log: Log;
  /** The setting allowed_hosts. */
  readonly allowedHosts: readonly string[];
  /** The setting trusted_proxies. */
  readonly trustedProxies?: readonly string[];
  /** Whether it is the run's console token, where there is one. */
  readonly isToken?: (given: string | undefined) => boolean;
  readonly keys: KeyGate;
  /** Who must send one. */
  readonly requireKeys: Settings["require_keys"];
  readonly metrics?: MetricRegistry | undefined;
  /** True once the service is being ended. */
  readonly isDraining?: () => boolean;
  /** Origins beyond the usual ones: the setting cors_origins, and OLLAMA_ORIGINS. */
  readonly origins: readonly string[];
  /** Our own store, in Ollama's layout, and a folder of GGUF files. */
  readonly modelsDir: string;
  /** An Ollama store to serve models from. With `writable`, models are pulled and created there instead. */
  readonly ollamaStore?: ModelStoresOptions["ollamaStore"];
  readonly registry?: RegistryOptions;
  readonly upstreams?: UpstreamsOptions;
  readonly templateLimits: TemplateLimits;
  readonly extraFile: string | undefined;
  readonly bounds?: ModelStoresOptions["bounds"];
  readonly starterFile: string;
  /** The setting starter_confidence; 0 without it. */
  readonly starterConfidence?: number;
  readonly deliverEvent: DeliverEvent;
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

/** The starter model was trained for greedy answers. */
const starterParameters = { temperature: 0 };

const defaults = { keepAliveMs: 5 * 60_000, maxLoaded: 3, maxQueue: 512 };

export function createModelApp(options: ModelAppOptions): ModelApp {
  const { engine, log, deliverEvent, keys, metrics } = options;
  const renderer = createTemplateRenderer(options.templateLimits);
  const upstreams = openUpstreams(options.modelsDir, options.upstreams ?? {}, log);
  const { library, creating, pull, key, close } = openModelStores({
    modelsDir: options.modelsDir,
    ollamaStore: options.ollamaStore,
    extraFile: options.extraFile,
    bounds: options.bounds,
    starter: { path: options.starterFile, parameters: starterParameters },
    registry: options.registry ?? {},
    renderer,
    remoteModels: upstreams.models,
    nameUpstream: upstreams.nameUpstream,
    log,
  });
  const scheduler = createScheduler({
    ...defaults,
    ...options.scheduling,
    engine,
    onLoaded: (name) => deliverEvent("model.loaded", name),
    onUnloaded(name) {
      deliverEvent("model.unloaded", name);
      // Its files may have been in use when they were to be removed.
      creating.writes.prune([]).catch((error: unknown) => log.warn({ err: error }, "the store cannot be pruned"));
      if (scheduler.residents().length === 0) options.onIdle?.();
    },
  });
  const templates = createChatTemplates(renderer);
  const { contextLength } = options.scheduling ?? {};
  const optionDefaults = contextLength === undefined ? {} : { num_ctx: contextLength };
  const speeds = createAnswerSpeeds();
  const isToken = options.isToken ?? (() => false);
  const { guard, spend, keyOfCaller } = createKeyGuard({ keys, required: options.requireKeys, isToken });
  const meter = metrics && addModelMetrics(metrics, scheduler);
  const noteUsage: NoteUsage = (usage) => {
    meter?.(usage);
    spend(usage.promptTokens + usage.generatedTokens);
  };
  const topics = topicsIn(join(dirname(options.starterFile), topicsFile));
  const here = createCompletions({
    library,
    scheduler,
    speeds,
    noteUsage,
    templates,
    defaults: optionDefaults,
    isOpen: options.isOpen === true,
    guide: createGuide({ least: options.starterConfidence ?? 0, topics }),
  });
  const remote = createUpstreamCompletions(library, upstreams.pool, noteUsage);
  const completions = placeCompletions(library, { here, remote }, upstreams.hasAny);
  const completion = { completions, log };
  const running: Handler = (_req, res) => {
    res.setHeader("Server", serverName);
    sendText(res, 200, "text/plain; charset=utf-8", greeting);
  };
  const version: Handler = (_req, res) => sendJson(res, 200, { version: apiVersion });
  const status: Handler = (_req, res) => sendJson(res, 200, { cloud: { disabled: true, source: "config" } });
  const totalMemory = options.registry?.totalMemory ?? totalmem();
  const tags = tagsRoute(library, templates, totalMemory);
  const fit = {
    library,
    engine,
    scheduler,
    speeds,
    parallel: options.scheduling?.parallel,
    defaults: optionDefaults,
    totalMemory,
  };

  const routes = {
    "/": { GET: running, HEAD: running },
    "/api/version": { GET: version, HEAD: version },
    "/api/status": { GET: status },
    "/api/tags": { GET: tags, HEAD: tags },
    "/api/ps": { GET: psRoute(scheduler, library, upstreams.pool) },
    "/api/upstreams": { GET: upstreamsRoute(upstreams.pool) },
    "/api/show": { POST: showRoute(library, upstreams.pool, { templates, totalMemory }) },
    "/api/fit": { POST: fitRoute(fit) },
    "/api/schema": { POST: schemaRoute(options.isOpen === true) },
    "/api/pull": { POST: pullRoute(pull, isToken, (name) => deliverEvent("model.pulled", name), log) },
    "/api/push": { POST: pushRoute },
    "/api/create": { POST: createRoute(creating, isToken, log) },
    "/api/copy": { POST: copyRoute(creating, isToken) },
    "/api/delete": { DELETE: deleteModelRoute(creating, scheduler) },
    "/api/blobs/{digest}": { HEAD: blobHeadRoute(creating.writes), POST: blobPostRoute(creating.writes) },
    "/api/generate": { POST: generateRoute(completion) },
    "/api/chat": { POST: chatRoute(completion) },
    "/api/embed": { POST: embedRoute(completion) },
    "/api/embeddings": { POST: ollamaEmbeddingsRoute(completion) },
    "/api/tokenize": { POST: tokenizeRoute(completion) },
    "/api/detokenize": { POST: detokenizeRoute(completion) },
    "/api/rerank": { POST: rerankRoute(completion) },
    ...v1Routes({ completions, library, log, keyOfCaller }),
    ...cloudRoutes({ key, log }),
  };
  const hosts = allowedHosts({ allowed: options.allowedHosts });
  const { serve, allAnswered } = mountRoutes(routes, refuseRoute);
  return {
    handler: pipeline(
      [
        health(options.isDraining),
        takePassedOn(isToken),
        believeProxies(options.trustedProxies ?? []),
        ...metricsSteps(metrics, [
          hosts,
          guardControl({ isPage: () => false, admit: admitBy(isToken, keys, "metrics:read") }),
        ]),
        requestLog(log),
        options.record,
        hosts,
        modelCors(options.origins),
        guard,
        recordBody,
        serve,
      ],
      refuseByFamily(log),
    ),
    async close() {
      close();
      upstreams.close();
      await scheduler.close();
      await renderer.close();
      engine.close();
      await allAnswered();
    },
  };
}
