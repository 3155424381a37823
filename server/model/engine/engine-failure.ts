/** Maps the engine's failures to the contract's errors. */
import { EngineError } from "./engine.ts";
import { OllamaError } from "../ollama-error.ts";

const died =
  "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details";

/** The error for the client; an error of another kind stays unchanged. */
export function ollamaErrorOf(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  switch (error.code) {
    case "lost":
    case "not_loaded":
      return new OllamaError(500, died, error);
    case "unavailable":
      return new OllamaError(503, error.message, error);
    case "load_failed":
    case "out_of_memory":
      return new OllamaError(500, error.message, error);
    case "prompt_too_long":
    case "not_supported":
    case "bad_request":
      return new OllamaError(400, error.message, error);
    case "failed":
      return new OllamaError(500, `an error was encountered while running the model: ${error.message}`, error);
  }
}

export const isEngineError = (error: unknown, code: EngineError["code"]) =>
  error instanceof EngineError && error.code === code;
