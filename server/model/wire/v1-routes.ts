/** The routes at /v1, which OpenAI's API and Anthropic's share. */
import type { IncomingMessage } from "node:http";
import { isKeyRefusal } from "../../http/keys/key-gate.ts";
import { pathOf, type Refuse } from "../../http/middleware.ts";
import type { Log } from "../../process/log.ts";
import { refuseAsOllama, setErrorHeaders } from "./error-handler.ts";
import type { Library } from "../models/library/library.ts";
import type { WriteFailure } from "./family-errors.ts";
import { sendAnthropicError, withAnthropicErrors } from "./anthropic/anthropic-errors.ts";
import { anthropicRoutes } from "./anthropic/messages.ts";
import { anthropicModelRoute, anthropicModelsRoute } from "./anthropic/models.ts";
import type { CompatDeps } from "./compat-deps.ts";
import { sendPlain, type Handler, type RefuseRoute, type ModelRouteTable } from "./mount-routes.ts";
import { modelRoute, modelsRoute } from "./openai/models.ts";
import { sendOpenAiError, withOpenAiErrors } from "./openai/openai-errors.ts";
import { openAiRoutes } from "./openai/openai-routes.ts";

/** Only clients of Anthropic's API name a version of it. */
const isAnthropic = ({ headers }: IncomingMessage) => headers["anthropic-version"] !== undefined;

const byFamily =
  (openAi: Handler, anthropic: Handler): Handler =>
  (req, res, signal, params) =>
    (isAnthropic(req) ? anthropic : openAi)(req, res, signal, params);

/** The routes of both. Lists of models have the shape of the family that asks. */
export function v1Routes(deps: CompatDeps & { readonly library: Library }): ModelRouteTable {
  const { library, log } = deps;
  const models = (openAi: Handler, anthropic: Handler) => ({
    GET: byFamily(withOpenAiErrors(log, openAi), withAnthropicErrors(log, anthropic)),
  });
  return {
    ...openAiRoutes(deps),
    ...anthropicRoutes(deps),
    "/v1/models": models(modelsRoute(library), anthropicModelsRoute(library)),
    "/v1/models/{model*}": models(modelRoute(library), anthropicModelRoute(library)),
  };
}

/** How the family that asks writes failures at /v1; undefined for what lies elsewhere. */
function familyOf(req: IncomingMessage): WriteFailure | undefined {
  const path = pathOf(req).toLowerCase();
  if (!path.startsWith("/v1/")) return undefined;
  return isAnthropic(req) || path.startsWith("/v1/messages") ? sendAnthropicError : sendOpenAiError;
}

/** Refuses an unknown path at /v1 in the shape of the family that asks, any other as Ollama does. */
export const refuseRoute: RefuseRoute = (req, res, status) => {
  const send = familyOf(req);
  if (!send) return sendPlain(req, res, status);
  const message = status === 404 ? "there is no such route here" : `${req.method ?? ""} is not allowed here`;
  send(res, status, message, undefined);
};

/** Refuses as Ollama does; keys in the shape of the family that asks. */
export function refuseByFamily(log: Log): Refuse {
  const asOllama = refuseAsOllama(log);
  return (error, req, res) => {
    const send = isKeyRefusal(error) ? familyOf(req) : undefined;
    if (!send || !isKeyRefusal(error) || res.headersSent) return asOllama(error, req, res);
    setErrorHeaders(res, error);
    send(res, error.status, error.message, error);
  };
}
