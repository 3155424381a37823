import type { ServerResponse } from "node:http";
import { HttpError } from "../../http/http-error.ts";
import { EngineError } from "../engine/engine.ts";
import { OllamaError } from "../ollama-error.ts";
import { ScriptedError } from "../scripted/scripted-fault.ts";

const passing: readonly EngineError["code"][] = ["lost", "not_loaded", "unavailable"];

/** Whether the same request may succeed a moment later: the queue was full, or the engine had just died. */
const mayPass = (error: unknown) =>
  (error instanceof HttpError && error.status === 503) ||
  (error instanceof OllamaError &&
    (error.status === 503 || (error.cause instanceof EngineError && passing.includes(error.cause.code))));

/** OpenAI's and Anthropic's clients repeat each 5xx twice, unless this header says that it cannot help. */
export function adviseRetry(res: ServerResponse, error: unknown): void {
  if (!mayPass(error) && !(error instanceof ScriptedError)) res.setHeader("x-should-retry", "false");
}
