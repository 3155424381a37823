/** GET /api/tags, GET /api/ps, POST /api/show: installed models, loaded models, details of a model. */
import { showRequestSchema, type ModelDetails, type Ps, type Show, type Tags } from "../../../contract/model/ollama.ts";
import { modelInfoOf } from "../../models/library/gguf/gguf-details.ts";
import { readGgufHeader } from "../../models/library/gguf/gguf-header.ts";
import { noHeader } from "../../models/library/no-header.ts";
import type { InstalledModel, Library } from "../../models/library/library.ts";
import { modelDetails } from "../../models/library/model-details.ts";
import { shortName } from "../../models/library/model-name.ts";
import { OllamaError } from "../../ollama-error.ts";
import { longestDurationMs } from "../../options/go-duration.ts";
import type { RawOptions } from "../../options/model-options.ts";
import { capabilitiesOf, templateTextOf, type ChatTemplates } from "../../chat/prompt/chat-template.ts";
import { referenceOf } from "../../models/library/remote-reference.ts";
import type { UpstreamPool } from "../../upstream/upstream-pool.ts";
import { modelSent } from "./model-sent.ts";
import { remoteFields, remoteResidents, shownThere } from "./upstreams-route.ts";
import { memoryWarning, weightsOf } from "../../models/library/memory-guidance.ts";
import type { Scheduler } from "../../engine/scheduler/scheduler.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";
import { findInstalled, unknownWithTag } from "../../models/find-model.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

/** Lists of models omit an empty list of capabilities. */
const someCapabilities = async (templates: ChatTemplates, model: InstalledModel) => {
  const capabilities = await capabilitiesOf(templates, model);
  return capabilities.length > 0 ? { capabilities } : {};
};

/** The warning against running the model with this many bytes of memory; omitted without one. */
function someWarnings(model: InstalledModel, totalMemory: number) {
  const warnings = [memoryWarning(weightsOf(model), totalMemory), model.unrunnable].filter((one) => one !== undefined);
  return warnings.length > 0 ? { warnings } : {};
}

/** `totalMemory`: bytes that the machine has. */
export function tagsRoute(library: Library, templates: ChatTemplates, totalMemory: number): Handler {
  return async (_req, res) => {
    const view = async (model: InstalledModel) => ({
      name: shortName(model.name),
      model: shortName(model.name),
      modified_at: model.modifiedAt.toISOString(),
      size: model.size,
      digest: model.digest,
      details: modelDetails(model),
      ...(await someCapabilities(templates, model)),
      ...someWarnings(model, totalMemory),
      ...remoteFields(model),
    });
    const models = await Promise.all((await library.list()).map(view));
    sendJson(res, 200, { models } satisfies Tags);
  };
}

export function psRoute(scheduler: Scheduler, library: Library, pool: UpstreamPool): Handler {
  return async (_req, res) => {
    const here = scheduler.residents().map(({ model, contextLength, size, sizeVram, expiresAt }) => ({
      name: shortName(model.name),
      model: shortName(model.name),
      size,
      digest: model.digest,
      details: modelDetails(model),
      // "For ever" is Go's longest duration: clients recognise it by being more than 20 years away.
      expires_at: new Date(Math.min(expiresAt, Date.now() + longestDurationMs)).toISOString(),
      size_vram: sizeVram,
      context_length: contextLength,
    }));
    sendJson(res, 200, { models: [...here, ...(await remoteResidents(library, pool))] } satisfies Ps);
  };
}

const nameWidth = 30;

/** Each value with its name; those of a list one by one. */
const eachOf = (parameters: RawOptions) =>
  Object.entries(parameters).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item: unknown) => [name, item] as const),
  );

/** One parameter a line, strings quoted, a line for each item of a list. */
const parameterText = (parameters: RawOptions): string =>
  eachOf(parameters)
    .map(
      ([name, item]) => `${name.padEnd(nameWidth)} ${typeof item === "string" ? JSON.stringify(item) : String(item)}`,
    )
    .join("\n");

/** Any text as an argument of a Modelfile. */
const quoted = (text: string) => `"""${text}"""`;

/** A parameter's value in a Modelfile, which knows no escapes. */
function valueText(value: unknown): string {
  if (typeof value !== "string") return String(value);
  return value.includes('"') ? quoted(value) : `"${value}"`;
}

/** The template that the manifest has. A new model that runs at an upstream may have none. */
function ownTemplate(model: InstalledModel): string | undefined {
  return model.remote === undefined ? model.template : undefined;
}

/** Its prompt form and answer form, where the manifest names them. */
const familyNames = ({ config: { renderer, parser } = {} }: InstalledModel) => ({
  ...(renderer && { renderer }),
  ...(parser && { parser }),
});

function modelfileOf(model: InstalledModel): string {
  const template = ownTemplate(model);
  const name = shortName(model.name);
  const [target] = model.remote?.targets ?? [];
  const line = (instruction: string, text: string) => `${instruction} ${quoted(text)}`;
  return [
    '# Modelfile generated by "ollama show"',
    "# To build a new Modelfile based on this, replace FROM with:",
    `# FROM ${name}`,
    "",
    `FROM ${target === undefined ? model.path || name : referenceOf(target)}`,
    ...(template === undefined ? [] : [line("TEMPLATE", template)]),
    ...Object.entries(familyNames(model)).map(([member, text]) => `${member.toUpperCase()} ${text}`),
    ...(model.system === undefined ? [] : [line("SYSTEM", model.system)]),
    ...eachOf(model.parameters).map(([name, value]) => `PARAMETER ${name} ${valueText(value)}`),
    ...(model.messages ?? []).map(({ role, content }) => line(`MESSAGE ${role}`, content)),
    ...(model.licenses ?? []).map((license) => line("LICENSE", license)),
    "",
  ].join("\n");
}

/** Texts that only models with a manifest have. */
function manifestTexts({ licenses = [], system, messages = [] }: InstalledModel) {
  return {
    ...(licenses.length > 0 && { license: licenses.join("\n") }),
    ...(system !== undefined && { system }),
    ...(messages.length > 0 && { messages: [...messages] }),
  };
}

/** The metadata of a model without a file: clients look for the window there. */
function remoteInfo({ family, context_length: window }: ModelDetails): Show["model_info"] {
  const architecture = family || "unknown";
  return window === undefined
    ? {}
    : { "general.architecture": architecture, [`${architecture}.context_length`]: window };
}

/** VS Code's chat shows a model by this entry, and its user looks for the name that `tags` has. */
const shownName = (agent: string | undefined, sent: string) =>
  agent?.startsWith("GitHubCopilotChat/") === true ? { "general.basename": sent } : {};

/** `totalMemory`: bytes that the machine has. */
export function showRoute(
  library: Library,
  pool: UpstreamPool,
  { templates, totalMemory }: { readonly templates: ChatTemplates; readonly totalMemory: number },
): Handler {
  return async (req, res) => {
    const body = await readRequest(req, { name: "ShowRequest", schema: showRequestSchema });
    const sent = modelSent(body);
    if (sent === "") throw new OllamaError(400, "model is required");
    const model = await findInstalled(library, sent, unknownWithTag);
    const verbose = body.verbose === true && model.path !== "" && model.rules === undefined;
    const header = verbose ? await readGgufHeader(model.path, Infinity) : model.header;
    const parameters = parameterText(model.parameters);
    const there = model.remote === undefined ? {} : await shownThere(pool, model.remote);
    const template = model.template ?? templateTextOf(header);
    const details = there.details ?? modelDetails(model);
    const info = there.model_info ?? (model.header === noHeader ? remoteInfo(details) : modelInfoOf(header));
    sendJson(res, 200, {
      ...there,
      ...manifestTexts(model),
      modelfile: modelfileOf(model),
      ...(parameters !== "" && { parameters }),
      ...(template !== undefined && { template }),
      ...familyNames(model),
      details,
      model_info: { ...info, ...shownName(req.headers["user-agent"], sent) },
      ...(await someCapabilities(templates, model)),
      ...someWarnings(model, totalMemory),
      modified_at: model.modifiedAt.toISOString(),
      ...remoteFields(model),
    } satisfies Show);
  };
}
