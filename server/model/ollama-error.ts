/** A refusal as in the Ollama contract: status and the text of its body's `error`. */
export class OllamaError extends Error {
  override readonly name = "OllamaError";
  readonly status: number;
  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}
