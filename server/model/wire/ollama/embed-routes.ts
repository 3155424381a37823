/** POST /api/embed and the older POST /api/embeddings */
import { embeddingsRequestSchema, embedRequestSchema } from "../../../contract/model/ollama.ts";
import { unknownToPull } from "../../models/find-model.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import type { CompletionDeps } from "./empty-request.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

/** The texts of a request; an empty one counts as none. */
function readInput(input: unknown): string[] {
  if (input === undefined || input === null || input === "") return [];
  if (typeof input === "string") return [input];
  if (Array.isArray(input) && input.every((text) => typeof text === "string")) return input;
  throw new OllamaError(400, "invalid input type");
}

export function embedRoute({ resolve }: Pick<CompletionDeps, "resolve">): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, { name: "EmbedRequest", schema: embedRequestSchema });
    const model = body.model ?? "";
    if (model === "") throw new OllamaError(404, "model '' not found");
    const request = { model, options: body.options ?? {}, keepAliveMs: parseKeepAlive(body.keep_alive) };
    const input = readInput(body.input);
    // Always with every field, because a client library requires the figures.
    const { truncate = true, dimensions } = body;
    const target = await resolve(model, unknownToPull);
    const embedded = await target.completions.embed(
      target.model,
      { ...request, input, truncate, dimensions, normalise: true },
      signal,
    );
    if (input.length === 0) sendJson(res, 200, { model, embeddings: [] });
    else sendJson(res, 200, { model, ...embedded });
  };
}

export function ollamaEmbeddingsRoute({ resolve }: Pick<CompletionDeps, "resolve">): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, { name: "EmbeddingRequest", schema: embeddingsRequestSchema });
    const { model = "", prompt = "" } = body;
    if (model === "") throw new OllamaError(400, "model is required");
    const options = { model, options: body.options ?? {}, keepAliveMs: parseKeepAlive(body.keep_alive) };
    const input = prompt === "" ? [] : [prompt];
    const target = await resolve(model, unknownToPull);
    const { embeddings } = await target.completions.embed(
      target.model,
      { ...options, input, truncate: true, dimensions: undefined, normalise: false },
      signal,
    );
    sendJson(res, 200, { embedding: embeddings[0] ?? [] });
  };
}
