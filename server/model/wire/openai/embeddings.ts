/** POST /v1/embeddings */
import type { z } from "zod";
import { openAiEmbeddingsSchema } from "../../../contract/model/openai.ts";
import { unknownToPull } from "../../models/find-model.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import type { CompatDeps } from "../compat-deps.ts";
import { FieldRefusal, read, refuseUnsupported, type Members } from "../field-refusal.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import { modelMembers, readOptions } from "./request/read-options.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const shape = { name: "EmbedRequest", schema: openAiEmbeddingsSchema, emptyText: "EOF" };

const members: Members<z.output<typeof openAiEmbeddingsSchema>> = {
  ...modelMembers,
  ...read("input", "dimensions", "encoding_format"),
};

/** Clients make tokens by the vocabulary of a model of OpenAI's: here they would mean other words. */
const tokensRefused =
  "input must be one or more texts: tokens are not supported (LangChain: check_embedding_ctx_length=False)";

/** The texts to embed. @throws OllamaError 400 */
function readInput(input: unknown): string[] {
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  if (texts.length === 0 || input === undefined || input === null) throw new OllamaError(400, "invalid input");
  if (texts.every((one) => typeof one === "number" || Array.isArray(one)))
    throw new FieldRefusal("input", tokensRefused);
  if (!texts.every((text) => typeof text === "string")) throw new OllamaError(400, "invalid input type");
  return texts;
}

/** Little-endian 32-bit floats, whatever this machine's order is. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}

type Encode = (vector: readonly number[]) => string | readonly number[];

const encodings = new Map<string, Encode>([
  ["float", (vector) => vector],
  ["base64", base64Of],
]);

export function openAiEmbeddingsRoute({ resolve }: CompatDeps): Handler {
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    refuseUnsupported(body, members);
    const input = readInput(body.input);
    const { model = "", encoding_format: format = "float" } = body;
    if (model === "") throw new OllamaError(404, "model '' not found");
    const encode = encodings.get(format.toLowerCase());
    if (encode === undefined)
      throw new OllamaError(
        400,
        `Invalid value for 'encoding_format' = ${format}. Supported values: ['float', 'base64'].`,
      );
    const request = {
      model,
      input,
      dimensions: body.dimensions,
      truncate: true,
      normalise: true,
      options: readOptions(body, undefined, {}),
      keepAliveMs: parseKeepAlive(body.keep_alive),
    };
    const target = await resolve(model, unknownToPull);
    const { embeddings, prompt_eval_count: tokens } = await target.completions.embed(target.model, request, signal);
    sendJson(res, 200, {
      object: "list",
      data: embeddings.map((vector, index) => ({ object: "embedding", embedding: encode(vector), index })),
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
  };
}
