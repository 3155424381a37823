/** POST /api/create */
import { createRequestSchema, type CreateRequest } from "../../../contract/model/ollama-library.ts";
import { ollamaMessageSchema } from "../../../contract/model/ollama.ts";
import { askerOf, type IsToken } from "../../../http/outgoing/asker.ts";
import type { Log } from "../../../process/log.ts";
import { apiVersion } from "./api-version.ts";
import { createModel, type CreateDeps } from "../../models/create/create-model.ts";
import { parseSentName } from "../../models/library/model-name.ts";
import { parseReference, remoteTarget } from "../../models/library/remote-reference.ts";
import { ModelfileError, parseModelfile } from "../../models/create/parse-modelfile.ts";
import { OllamaError } from "../../ollama-error.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import { modelSent } from "./model-sent.ts";
import { sendProgress } from "./send-progress.ts";

const refused = [
  "adapters",
  "quantize",
  "quantization",
  "draft_files",
  "draft_quantize",
] as const satisfies readonly (keyof CreateRequest)[];

const isGiven = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== "" &&
  !(typeof value === "object" && Object.keys(value).length === 0);

/** @throws OllamaError 400 for a version that is newer than that of the API */
function checkRequired(requires = ""): void {
  if (requires === "") return;
  const [, version] = /^v?(\d+(?:\.\d+){0,2})(?:[-+]|$)/.exec(requires) ?? [];
  if (version === undefined) throw new OllamaError(400, `requires must be a version such as ${apiVersion}`);
  if (version.localeCompare(apiVersion, "en", { numeric: true }) > 0)
    throw new OllamaError(400, `the model requires Ollama ${version}, and this server has the API of ${apiVersion}`);
}

function listOf(license: CreateRequest["license"]): string[] {
  if (license === undefined || license === "") return [];
  return typeof license === "string" ? [license] : license;
}

/** @throws OllamaError 400 */
function nameIn(text: string) {
  const name = parseSentName(text);
  if (name === undefined) throw new OllamaError(400, "invalid model name");
  return name;
}

/** The base of the new model: a model here, or one at an upstream. @throws OllamaError 400 */
function baseIn({ from = "", remote_host: host = "" }: CreateRequest) {
  if (host !== "") return remoteTarget(host, from);
  return from === "" ? undefined : (parseReference(from) ?? nameIn(from));
}

/**
 * The Modelfile in the request, as members of the request.
 * @throws OllamaError 400
 */
function fromModelfile(text: string): CreateRequest {
  try {
    const { from, licenses, ...rest } = parseModelfile(text);
    const [base, surplus] = from;
    if (surplus !== undefined) throw new OllamaError(400, "modelfile: only one FROM line can name a model");
    const messages = rest.messages.length === 0 ? undefined : rest.messages;
    return createRequestSchema.parse({ ...rest, messages, from: base, license: licenses });
  } catch (error) {
    if (error instanceof ModelfileError) throw new OllamaError(400, `modelfile: ${error.message}`);
    throw error;
  }
}

export function createRoute(deps: CreateDeps, isToken: IsToken, log: Log): Handler {
  const shape = {
    name: "CreateRequest",
    schema: createRequestSchema,
    items: { messages: Object.keys(ollamaMessageSchema.shape) },
  };
  return async (req, res, signal) => {
    const body = await readRequest(req, shape);
    const name = nameIn(modelSent(body));
    const unsupported = refused.find((member) => isGiven(body[member]));
    if (unsupported !== undefined) throw new OllamaError(400, `${unsupported} is not supported by this server`);
    const fields = body.modelfile ? fromModelfile(body.modelfile) : body;
    checkRequired(fields.requires);
    const { files, template, system, renderer, parser, parameters, messages, license } = fields;
    const options = {
      name,
      asker: askerOf(req, isToken),
      from: baseIn(fields),
      files,
      template,
      system,
      renderer,
      parser,
      parameters,
      messages,
      licenses: listOf(license),
    };
    await sendProgress(res, { stream: body.stream !== false, lines: createModel(deps, options, signal), log });
  };
}
