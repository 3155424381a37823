/** The operations of the runner, over its local socket. Whoever can open the socket may call them. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import {
  runnerDetokenizeSchema,
  runnerEmbeddedSchema,
  runnerEmbedSchema,
  runnerFitSchema,
  runnerFittedSchema,
  runnerGenerateSchema,
  runnerLoadSchema,
  runnerRankedSchema,
  runnerRankSchema,
  runnerStatusSchema,
  runnerTextSchema,
  runnerTokenizeSchema,
  runnerTokensSchema,
} from "./runner.ts";

const runner = { access: "none", tag: "runner", status: 200 } as const;
const model = { ...runner, params: z.object({ id: z.string() }) } as const;
const lines = ["application/x-ndjson"] as const;

/** Returns that the runner works. */
export const getRunnerHealth = endpoint({
  ...runner,
  id: "getRunnerHealth",
  method: "GET",
  path: "/healthz",
  data: z.object({ status: z.literal("ok") }),
});

/**
 * Identifies the runner in a first line and stays open until the runner ends. An open call shows that the caller still
 * needs its models.
 */
export const holdRunner = endpoint({ ...runner, id: "holdRunner", method: "GET", path: "/presence", produces: lines });

/** Loads a model and streams its progress line by line. */
export const loadModel = endpoint({
  ...runner,
  id: "loadModel",
  method: "POST",
  path: "/models",
  body: runnerLoadSchema,
  produces: lines,
});

/** Returns the memory that a model would need. */
export const fitModel = endpoint({
  ...runner,
  id: "fitModel",
  method: "POST",
  path: "/fits",
  body: runnerFitSchema,
  data: runnerFittedSchema,
});

/** Returns the current state of a model. */
export const getModelStatus = endpoint({
  ...model,
  id: "getModelStatus",
  method: "GET",
  path: "/models/{id}",
  data: runnerStatusSchema,
});

/** Unloads a model and frees its memory. */
export const unloadModel = endpoint({
  ...model,
  id: "unloadModel",
  method: "DELETE",
  path: "/models/{id}",
  data: z.object({}),
});

/** Generates text and streams it line by line. */
export const generateText = endpoint({
  ...model,
  id: "generateText",
  method: "POST",
  path: "/models/{id}/generations",
  body: runnerGenerateSchema,
  produces: lines,
});

/** Returns the tokens of a text. */
export const tokenizeText = endpoint({
  ...model,
  id: "tokenizeText",
  method: "POST",
  path: "/models/{id}/tokens",
  body: runnerTokenizeSchema,
  data: runnerTokensSchema,
});

/** Returns the text of tokens. */
export const detokenizeText = endpoint({
  ...model,
  id: "detokenizeText",
  method: "POST",
  path: "/models/{id}/texts",
  body: runnerDetokenizeSchema,
  data: runnerTextSchema,
});

/** Returns an embedding for each text. */
export const embedTexts = endpoint({
  ...model,
  id: "embedTexts",
  method: "POST",
  path: "/models/{id}/embeddings",
  body: runnerEmbedSchema,
  data: runnerEmbeddedSchema,
});

/** Returns how relevant documents are to a query. */
export const rankDocuments = endpoint({
  ...model,
  id: "rankDocuments",
  method: "POST",
  path: "/models/{id}/rankings",
  body: runnerRankSchema,
  data: runnerRankedSchema,
});
