/** The operations of the platform's published API, and how far the simulator answers each. */
import list from "./operations.json" with { type: "json" };
import { productNames } from "./product-names.ts";
import { simulatedOperations, type MissingPart } from "./simulated-operations.ts";

/** `exact`: as described. `partial`: something is missing. `not_simulated`: answered with 501. */
export type OperationClass = "exact" | "partial" | "not_simulated";
export const operationClasses: readonly OperationClass[] = ["exact", "partial", "not_simulated"];

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly product: ProductName;
  readonly class: OperationClass;
  readonly missing: readonly MissingPart[];
  /** The day on which the public description first listed it, as YYYY-MM-DD. */
  readonly since: string | undefined;
}

interface ProductName {
  readonly en: string;
  readonly zh: string;
}

const classOf = (missing: readonly MissingPart[] | undefined): OperationClass => {
  if (!missing) return "not_simulated";
  return missing.length === 0 ? "exact" : "partial";
};

function readOperation(written: string, product: ProductName): Operation {
  const [method = "", path = "", since] = written.split(" ");
  const missing = simulatedOperations[`${method} ${path}`];
  return { method, path, product, class: classOf(missing), missing: missing ?? [], since };
}

/** Sorted by product, then by path. */
export const publishedOperations: readonly Operation[] = Object.entries(list.products).flatMap(([zh, members]) =>
  members.map((written) => readOperation(written, { en: productNames[zh] ?? zh, zh })),
);

/** The public descriptions that the list is derived from. */
export const operationSources: readonly { readonly repository: string; readonly commit: string; readonly date: string }[] =
  list.sources;

export const countClasses = (operations: readonly Operation[]): Record<OperationClass, number> => {
  const count = (name: OperationClass) => operations.filter((operation) => operation.class === name).length;
  return { exact: count("exact"), partial: count("partial"), not_simulated: count("not_simulated") };
};
