/** What generate and chat have in common before anything is loaded: checks in the contract's words, and options. */
import type { ChatRequest, GenerateRequest } from "../../../contract/ollama.ts";
import { fullName } from "../../library/model-name.ts";
import type { InstalledModel } from "../../library/library.ts";
import { OllamaError } from "../../ollama-error.ts";

export type Capability = "completion" | "vision" | "tools" | "insert";

/** A feature of the API that this server does not have yet: said, never silently left out. */
export const notYet = (what: string) => new OllamaError(501, `${what} is not supported by this server yet`);

export const lacks = (model: InstalledModel, capability: Capability) =>
  new OllamaError(400, `${fullName(model.name)} does not support ${capability}`);

const thinkLevels = ["high", "medium", "low", "max"];
const thinkValues = `"high", "medium", "low", "max", true, or false`;

function checkThink(think: unknown, sent: string): void {
  if (think === undefined || think === null || think === false) return;
  if (typeof think === "string" && !thinkLevels.includes(think))
    throw new OllamaError(400, `invalid think value: ${JSON.stringify(think)} (must be ${thinkValues})`);
  if (think !== true && typeof think !== "string")
    throw new OllamaError(400, `think must be a boolean or string (${thinkValues})`);
  throw new OllamaError(400, `${JSON.stringify(sent)} does not support thinking`);
}

function checkFormat(format: unknown): void {
  if (format === undefined || format === null || format === "") return;
  const isSchema = typeof format === "object" && !Array.isArray(format);
  if (format !== "json" && !isSchema)
    throw new OllamaError(
      500,
      `invalid format: ${JSON.stringify(JSON.stringify(format))}; expected "json" or a valid JSON Schema object`,
    );
  throw notYet("format");
}

/** @throws OllamaError for what the request asks and the model or this server cannot do. */
export function checkCommon(body: GenerateRequest | ChatRequest, sent: string): void {
  checkThink(body.think, sent);
  const { top_logprobs: top } = body;
  if (top !== undefined && (top < 0 || top > 20)) throw new OllamaError(400, "top_logprobs must be between 0 and 20");
  checkFormat(body.format);
  if (body.logprobs === true) throw notYet("logprobs");
}
