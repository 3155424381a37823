/**
 * An invalid schema, or one for which no valid item could be generated. `path` leads to the problem, as far as it is
 * known. In a file of its own, so that catching it does not load the compiler.
 */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  readonly path: readonly string[];
  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}
