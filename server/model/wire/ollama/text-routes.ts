/** POST /api/tokenize, /api/detokenize and /api/rerank: wanted by users of Ollama; the formats are our choice. */
import { detokenizeRequestSchema, rerankRequestSchema, tokenizeRequestSchema } from "../../../contract/model/ollama.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import type { RawOptions } from "../../options/model-options.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import type { CompletionDeps } from "./empty-request.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

type Deps = Pick<CompletionDeps, "resolve">;

/** @throws OllamaError 400 without a model */
function requestOf(body: { model: string | undefined; options: RawOptions | undefined; keep_alive?: unknown }) {
  if (!body.model) throw new OllamaError(400, "model is required");
  return { model: body.model, options: body.options ?? {}, keepAliveMs: parseKeepAlive(body.keep_alive) };
}

/** A limit, because writing a reply of very many numbers blocks all others; it is more than any window holds. */
const [mostCharacters, mostTokens] = [1024 * 1024, 1024 * 1024];

export function tokenizeRoute({ resolve }: Deps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, { name: "TokenizeRequest", schema: tokenizeRequestSchema });
    const request = requestOf(body);
    const text = body.text ?? body.content;
    if (text === undefined) throw new OllamaError(400, "text is required");
    if (text.length > mostCharacters)
      throw new OllamaError(400, `text is too long: at most ${String(mostCharacters)} characters; send it in parts`);
    const { model, completions } = await resolve(request.model);
    const tokens = await completions.tokenize(model, { ...request, text }, signal);
    sendJson(res, 200, { model: request.model, tokens });
  };
}

export function detokenizeRoute({ resolve }: Deps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, { name: "DetokenizeRequest", schema: detokenizeRequestSchema });
    const request = requestOf(body);
    const { tokens } = body;
    if (tokens === undefined) throw new OllamaError(400, "tokens is required");
    if (tokens.length > mostTokens)
      throw new OllamaError(400, `tokens are too many: at most ${String(mostTokens)}; send them in parts`);
    const { model, completions } = await resolve(request.model);
    const text = await completions.detokenize(model, { ...request, tokens }, signal);
    sendJson(res, 200, { model: request.model, text });
  };
}

export function rerankRoute({ resolve }: Deps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, { name: "RerankRequest", schema: rerankRequestSchema });
    const request = requestOf(body);
    const { query, documents = [], top_n: most = Infinity } = body;
    if (query === undefined) throw new OllamaError(400, "query is required");
    if (documents.length === 0) throw new OllamaError(400, "documents is required");
    const { model, completions } = await resolve(request.model);
    const { scores, tokens } = await completions.rank(model, { ...request, query, documents }, signal);
    const results = scores
      .map((score, index) => ({
        index,
        relevance_score: score,
        ...(body.return_documents === true && { document: documents[index] }),
      }))
      .sort((a, b) => b.relevance_score - a.relevance_score)
      .slice(0, most);
    sendJson(res, 200, { model: request.model, results, prompt_eval_count: tokens });
  };
}
