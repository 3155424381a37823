/**
 * A schema that is none, or of which no item that is valid could be made. `path` leads to what is at fault, as far as that is
 * known. A file of its own: whoever catches it need not load what throws it.
 */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  readonly path: readonly string[];
  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}
