/** A template that cannot be parsed, or failed. The message begins with the line. */
export class LineError extends Error {
  override readonly name = "LineError";
  constructor(line: number, message: string, cause?: unknown) {
    super(`line ${line}: ${message}`, { cause });
  }
}
