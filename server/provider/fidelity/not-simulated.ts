/**
 * Answers every published operation that is not simulated with 501, in the form of its API and with a code that the
 * platform never uses. It comes before a sender is looked at: a missing signature must not hide that nothing is there.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import {
  publishedOperations,
  type PlatformOperation,
} from "../../contract/provider/operations/published-operations.ts";
import { pathOf, type Middleware } from "../../http/middleware.ts";
import { createPathTable, withoutSlash } from "../../http/path-table.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import { writeXmlV2 } from "../../payment-wire/xml-v2.ts";

interface Deps {
  /** The simulator's own address. */
  readonly url: () => string;
  /** Receives the event of each operation when it is first called. */
  readonly publish: (event: BusMessage<"provider.not_simulated">) => void;
}

const textOf = ({ method, path, product }: PlatformOperation, url: string) =>
  `Hearth does not simulate "${product.en}: ${method} ${path}". See ${url}/sim/fidelity or run "hearth fidelity".`;

const isVersion3 = (path: string) => /^(?:[/](?:hk|global))?[/]v3[/]/.test(path);

function send(res: ServerResponse, type: string, body: string): void {
  const length = Buffer.byteLength(body);
  res.writeHead(501, { "Content-Type": `${type}; charset=utf-8`, "Content-Length": length }).end(body);
}

function answer(res: ServerResponse, { api, path }: PlatformOperation, text: string): void {
  if (api === "server") return send(res, "application/json", JSON.stringify({ errcode: -501, errmsg: text }));
  if (isVersion3(path)) return send(res, "application/json", JSON.stringify({ code: "NOT_SIMULATED", message: text }));
  const fields = { return_code: "FAIL", return_msg: text, err_code: "NOT_SIMULATED", err_code_des: text };
  send(res, "text/xml", writeXmlV2(fields));
}

/** The server API has no methods of its own for an address: a GET and a POST reach the same operation. */
const tableName = (api: PlatformOperation["api"], method: string) => (api === "server" ? "any" : method);

function createFinder() {
  const missing = publishedOperations.filter((operation) => operation.class === "not_simulated");
  const byMethod = Map.groupBy(missing, ({ api, method }) => tableName(api, method));
  const tables = new Map(
    [...byMethod].map(([name, operations]) => {
      const paths = operations.map((operation) => [withoutSlash(operation.path), operation] as const);
      return [name, createPathTable(paths, { ignoreCase: true, decode: (text) => text })];
    }),
  );
  return (req: IncomingMessage): PlatformOperation | undefined => {
    const { method = "" } = req;
    const path = withoutSlash(pathOf(req));
    const found = tables.get(method === "HEAD" ? "GET" : method)?.(path) ?? tables.get("any")?.(path);
    return found?.value;
  };
}

export function answerNotSimulated({ url, publish }: Deps): Middleware {
  const find = createFinder();
  const called = new Set<PlatformOperation>();
  return (req, res, next) => {
    const operation = find(req);
    if (!operation) return next();
    const message = textOf(operation, url());
    notesOf(res).path = operation.path;
    notesOf(res).refusal = { status: 501, code: "not_simulated", message };
    const { method, path, product } = operation;
    const data = { method, path, product: product.en };
    if (!called.has(operation)) publish({ type: "provider.not_simulated", source: "/provider", data });
    called.add(operation);
    answer(res, operation, message);
  };
}
