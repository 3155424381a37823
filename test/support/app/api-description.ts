/** An OpenAPI description as tests read it: operations in a row, references replaced by what they lead to. */

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface DescribedReply {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: JsonSchema }>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
}

export interface Operation {
  readonly operationId: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, DescribedReply>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

type Json = Record<string, unknown>;

/** Reads a description over HTTP. */
export async function readDescription(url: string, headers: Record<string, string> = {}): Promise<Operation[]> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} answered ${String(response.status)}: ${await response.text()}`);
  const document = (await response.json()) as Json;
  const { paths } = withoutReferences(document, document) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** A reference that leads back to itself becomes a schema that allows anything. */
function withoutReferences(node: unknown, document: Json, open: readonly string[] = []): unknown {
  if (Array.isArray(node)) return node.map((one) => withoutReferences(one, document, open));
  if (typeof node !== "object" || node === null) return node;
  const { $ref, ...rest } = node as Json;
  const isNew = typeof $ref === "string" && !open.includes($ref);
  const target = isNew ? withoutReferences(resolve($ref, document), document, [...open, $ref]) : {};
  const beside = Object.entries(rest).map(([name, value]) => [name, withoutReferences(value, document, open)]);
  return { ...(target as Json), ...(Object.fromEntries(beside) as Json) };
}

function resolve(reference: string, document: Json): unknown {
  const steps = reference.slice(2).split("/");
  return steps.reduce<unknown>((node, step) => {
    const found = (node as Json | undefined)?.[step.replaceAll("~1", "/").replaceAll("~0", "~")];
    if (found === undefined) throw new Error(`${reference} leads nowhere`);
    return found;
  }, document);
}
