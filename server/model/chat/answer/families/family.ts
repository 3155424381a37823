/** A family of models: how its templates write calls, and how its models are read and forced. */
import type { CallSyntax } from "../call-syntax.ts";

export interface Family {
  readonly name: string;
  readonly calls: CallSyntax;
  /** A pattern of the calls that templates of the family write. Tells apart families that read each other's calls. */
  readonly written: RegExp;
  /** A pattern of what templates of the family tell the model about calls, for those that write none themselves. */
  readonly taught?: RegExp;
}
