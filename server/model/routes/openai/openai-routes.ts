import type { Library } from "../../library/library.ts";
import type { CompatDeps } from "../compat-deps.ts";
import type { RouteTable } from "../mount-routes.ts";
import { chatCompletionsRoute } from "./chat-completions.ts";
import { completionsRoute } from "./completions.ts";
import { embeddingsRoute } from "./embeddings.ts";
import { modelRoute, modelsRoute } from "./models.ts";
import { withOpenAiErrors } from "./openai-errors.ts";
import { responsesRoute } from "./responses/responses.ts";

/** The routes of OpenAI's API. */
export function openAiRoutes(deps: CompatDeps & { readonly library: Library }): RouteTable {
  const { library, log } = deps;
  return {
    "/v1/chat/completions": { POST: withOpenAiErrors(log, chatCompletionsRoute(deps)) },
    "/v1/completions": { POST: withOpenAiErrors(log, completionsRoute(deps)) },
    "/v1/embeddings": { POST: withOpenAiErrors(log, embeddingsRoute(deps)) },
    "/v1/models": { GET: withOpenAiErrors(log, modelsRoute(library)) },
    "/v1/models/{model*}": { GET: withOpenAiErrors(log, modelRoute(library)) },
    "/v1/responses": { POST: withOpenAiErrors(log, responsesRoute(deps)) },
  };
}
