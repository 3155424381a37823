import type { CompatDeps } from "../compat-deps.ts";
import type { ModelRouteTable } from "../mount-routes.ts";
import { chatCompletionsRoute } from "./chat-completions.ts";
import { completionsRoute } from "./completions.ts";
import { openAiEmbeddingsRoute } from "./embeddings.ts";
import { withOpenAiErrors } from "./openai-errors.ts";
import { deleteResponseRoute, inputItemsRoute, retrieveRoute } from "./responses/kept-response-routes.ts";
import { createKeptResponses } from "./responses/kept-responses.ts";
import { responsesRoute } from "./responses/responses.ts";

/** The routes of OpenAI's API but its list of models. */
export function openAiRoutes(deps: CompatDeps): ModelRouteTable {
  const { log, keyOfCaller } = deps;
  const kept = createKeptResponses(keyOfCaller);
  const one = "/v1/responses/{id}";
  return {
    "/v1/chat/completions": { POST: withOpenAiErrors(log, chatCompletionsRoute(deps)) },
    "/v1/completions": { POST: withOpenAiErrors(log, completionsRoute(deps)) },
    "/v1/embeddings": { POST: withOpenAiErrors(log, openAiEmbeddingsRoute(deps)) },
    "/v1/responses": { POST: withOpenAiErrors(log, responsesRoute(deps, kept)) },
    [one]: {
      GET: withOpenAiErrors(log, retrieveRoute(kept)),
      DELETE: withOpenAiErrors(log, deleteResponseRoute(kept)),
    },
    [`${one}/input_items`]: { GET: withOpenAiErrors(log, inputItemsRoute(kept)) },
  };
}
