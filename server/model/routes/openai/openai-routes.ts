import type { CompatDeps } from "../compat-deps.ts";
import type { RouteTable } from "../mount-routes.ts";
import { chatCompletionsRoute } from "./chat-completions.ts";
import { completionsRoute } from "./completions.ts";
import { embeddingsRoute } from "./embeddings.ts";
import { withOpenAiErrors } from "./openai-errors.ts";
import { responsesRoute } from "./responses/responses.ts";

/** The routes of OpenAI's API but its list of models. */
export function openAiRoutes(deps: CompatDeps): RouteTable {
  const { log } = deps;
  return {
    "/v1/chat/completions": { POST: withOpenAiErrors(log, chatCompletionsRoute(deps)) },
    "/v1/completions": { POST: withOpenAiErrors(log, completionsRoute(deps)) },
    "/v1/embeddings": { POST: withOpenAiErrors(log, embeddingsRoute(deps)) },
    "/v1/responses": { POST: withOpenAiErrors(log, responsesRoute(deps)) },
  };
}
