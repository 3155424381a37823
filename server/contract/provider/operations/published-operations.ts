/** The operations of the platform's published API, and how far the simulator answers each. */
import type { Fidelity, OperationClass } from "./fidelity-schema.ts";
import list from "./operations.json" with { type: "json" };
import { alipayMethods } from "./alipay-operations.ts";
import { englishNames } from "./product-names.ts";
import { simulatedOperations, type MissingPart } from "./simulated-operations.ts";

export interface PlatformOperation {
  /** The API for merchants (both versions), the one for the servers of mini programs, or Alipay's gateway. */
  readonly api: keyof typeof list | "alipay";
  readonly method: string;
  readonly path: string;
  readonly product: BilingualName;
  readonly class: OperationClass;
  readonly missing: readonly MissingPart[];
  /** The day on which the public description first listed it, as YYYY-MM-DD; unknown for the server API. */
  readonly since: string | undefined;
}

export interface BilingualName {
  readonly en: string;
  readonly zh: string;
}

function classOf(missing: readonly MissingPart[] | undefined): OperationClass {
  if (!missing) return "not_simulated";
  return missing.length === 0 ? "exact" : "partial";
}

function readOperation(api: keyof typeof list, written: string, product: BilingualName): PlatformOperation {
  const [method = "", path = "", since] = written.split(" ");
  const missing = simulatedOperations[`${method} ${path}`];
  return { api, method, path, product, class: classOf(missing), missing: missing ?? [], since };
}

const readProducts = (api: keyof typeof list) =>
  Object.entries<readonly string[]>(list[api].products).flatMap(([zh, members]) =>
    members.map((written) => readOperation(api, written, { en: englishNames[zh] ?? zh, zh })),
  );

/** By API and product, then by path. */
export const publishedOperations: readonly PlatformOperation[] = [
  ...readProducts("payment"),
  ...readProducts("server"),
];

/** By method. */
export const alipayOperations: readonly PlatformOperation[] = Object.entries(alipayMethods).map(
  ([method, missing]) => ({
    ...{ api: "alipay", method: "POST", path: `/gateway.do?method=${method}`, since: undefined },
    ...{ product: { en: "Alipay", zh: "支付宝" }, class: classOf(missing), missing },
  }),
);

/** The operations of both platforms. */
export const allOperations: readonly PlatformOperation[] = [...publishedOperations, ...alipayOperations];

/** The public repositories from which the lists are derived. */
export const operationSources = { payment: list.payment.source, server: list.server.source };

/** The operations of the products whose name contains a text, in either language. */
export function operationsOfProduct(name: string): readonly PlatformOperation[] {
  const wanted = name.toLowerCase();
  return allOperations.filter(({ product }) =>
    [product.en, product.zh].some((known) => known.toLowerCase().includes(wanted)),
  );
}

/** The number of operations of each class. */
export function countClasses(operations: readonly PlatformOperation[]): Record<OperationClass, number> {
  const counts = { exact: 0, partial: 0, not_simulated: 0 };
  for (const operation of operations) counts[operation.class]++;
  return counts;
}

/** The operation as `hearth fidelity` and `GET /sim/fidelity` print it. */
export const viewOperation = ({ method, path, product, class: name, missing }: PlatformOperation): Fidelity => ({
  method,
  path,
  product: product.en,
  class: name,
  ...(missing.length > 0 && { missing: missing.map(({ en }) => en) }),
});
