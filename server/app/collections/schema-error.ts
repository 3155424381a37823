/** No item that is valid could be made. `path` leads to what is in the way. */
export class GenerationError extends Error {
  override readonly name = "GenerationError";
  readonly path: readonly string[];
  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}
