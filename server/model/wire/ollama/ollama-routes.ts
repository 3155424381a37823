/** The routes of Ollama's API, and Hearth's own ones in its style: /api/fit, /api/schema and /api/upstreams. */
import { sendJson, sendText } from "../../../http/conventions/send-json.ts";
import type { IsToken } from "../../../http/outgoing/asker.ts";
import type { ChatTemplates } from "../../chat/prompt/chat-template.ts";
import type { FitDeps } from "../../engine/fit.ts";
import type { CreateDeps } from "../../models/create/create-model.ts";
import type { Pull } from "../../models/registry/pull-model.ts";
import type { DeliverEvent } from "../../reporting/deliver-event.ts";
import type { UpstreamPool } from "../../upstream/upstream-pool.ts";
import type { Handler, ModelRouteTable } from "../mount-routes.ts";
import { apiVersion } from "./api-version.ts";
import { blobHeadRoute, blobPostRoute } from "./blob-routes.ts";
import { chatRoute } from "./chat-route.ts";
import { copyRoute, deleteModelRoute } from "./copy-delete-routes.ts";
import { createRoute } from "./create-route.ts";
import { embedRoute, ollamaEmbeddingsRoute } from "./embed-routes.ts";
import type { CompletionDeps } from "./empty-request.ts";
import { fitRoute } from "./fit-route.ts";
import { generateRoute } from "./generate-route.ts";
import { psRoute, showRoute, tagsRoute } from "./library-routes.ts";
import { greeting, serverName } from "./port-holder.ts";
import { pullRoute, pushRoute } from "./pull-route.ts";
import { schemaRoute } from "./schema-route.ts";
import { detokenizeRoute, rerankRoute, tokenizeRoute } from "./text-routes.ts";
import { upstreamsRoute } from "./upstreams-route.ts";

export interface OllamaDeps extends CompletionDeps, FitDeps {
  readonly templates: ChatTemplates;
  readonly pool: UpstreamPool;
  readonly creating: CreateDeps;
  readonly pull: Pull;
  readonly isToken: IsToken;
  readonly deliverEvent: DeliverEvent;
  /** Whether answers in a format may have members that its schema does not name but allows. */
  readonly isOpen: boolean;
}

const running: Handler = (_req, res) => {
  res.setHeader("Server", serverName);
  sendText(res, 200, "text/plain; charset=utf-8", greeting);
};
const version: Handler = (_req, res) => sendJson(res, 200, { version: apiVersion });
const status: Handler = (_req, res) => sendJson(res, 200, { cloud: { disabled: true, source: "config" } });

export function ollamaRoutes(deps: OllamaDeps): ModelRouteTable {
  const { library, scheduler, templates, totalMemory, pool, creating, isToken, log } = deps;
  const tags = tagsRoute(library, templates, totalMemory);
  const onPulled = (name: string) => deps.deliverEvent("model.pulled", name);
  return {
    "/": { GET: running, HEAD: running },
    "/api/version": { GET: version, HEAD: version },
    "/api/status": { GET: status },
    "/api/tags": { GET: tags, HEAD: tags },
    "/api/ps": { GET: psRoute(scheduler, library, pool) },
    "/api/upstreams": { GET: upstreamsRoute(pool) },
    "/api/show": { POST: showRoute(library, pool, { templates, totalMemory }) },
    "/api/fit": { POST: fitRoute(deps) },
    "/api/schema": { POST: schemaRoute(deps.isOpen) },
    "/api/pull": { POST: pullRoute(deps.pull, isToken, onPulled, log) },
    "/api/push": { POST: pushRoute },
    "/api/create": { POST: createRoute(creating, isToken, log) },
    "/api/copy": { POST: copyRoute(creating, isToken) },
    "/api/delete": { DELETE: deleteModelRoute({ ...creating, scheduler }) },
    "/api/blobs/{digest}": { HEAD: blobHeadRoute(creating.writes), POST: blobPostRoute(creating.writes) },
    "/api/generate": { POST: generateRoute(deps) },
    "/api/chat": { POST: chatRoute(deps) },
    "/api/embed": { POST: embedRoute(deps) },
    "/api/embeddings": { POST: ollamaEmbeddingsRoute(deps) },
    "/api/tokenize": { POST: tokenizeRoute(deps) },
    "/api/detokenize": { POST: detokenizeRoute(deps) },
    "/api/rerank": { POST: rerankRoute(deps) },
  };
}
