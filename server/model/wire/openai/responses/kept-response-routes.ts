/** GET and DELETE of what POST /v1/responses answered, and the items that it was made from. */
import type { IncomingMessage } from "node:http";
import { sendJson } from "../../../../http/conventions/send-json.ts";
import { queryOf } from "../../../../http/middleware.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { FieldRefusal } from "../../field-refusal.ts";
import type { Handler, Params } from "../../mount-routes.ts";
import type { KeptResponse, KeptResponses } from "./kept-responses.ts";

const fieldsOf = (req: IncomingMessage) => new URLSearchParams(queryOf(req));
const unknown = (id: string) =>
  new OllamaError(404, `Response with id ${JSON.stringify(id)} not found; only the newest of this run are stored`);

/** @throws OllamaError 404 */
function keptOf(kept: KeptResponses, { id = "" }: Params): KeptResponse {
  const found = kept.find(id);
  if (found === undefined) throw unknown(id);
  return found;
}

export function retrieveRoute(kept: KeptResponses): Handler {
  return (req, res, _signal, params) => {
    if (fieldsOf(req).get("stream") === "true")
      throw new FieldRefusal("stream", "stream: a stored response is returned at once");
    sendJson(res, 200, keptOf(kept, params).response);
  };
}

export function deleteResponseRoute(kept: KeptResponses): Handler {
  return (_req, res, _signal, { id = "" }) => {
    if (!kept.remove(id)) throw unknown(id);
    sendJson(res, 200, { id, object: "response", deleted: true });
  };
}

/** Items of a page without a limit in the query, and the largest limit. */
const [usualPage, largestPage] = [20, 100];

function limitOf(req: IncomingMessage): number {
  const limit = Number(fieldsOf(req).get("limit") ?? usualPage);
  if (!Number.isInteger(limit) || limit < 1 || limit > largestPage)
    throw new FieldRefusal("limit", `limit must be a whole number from 1 to ${String(largestPage)}`);
  return limit;
}

/** The newest first, unless `order=asc`; `after`: the last item of the page before. */
export function inputItemsRoute(kept: KeptResponses): Handler {
  return (req, res, _signal, params) => {
    const [query, limit] = [fieldsOf(req), limitOf(req)];
    const items = keptOf(kept, params).input as readonly { readonly id: string }[];
    const ordered = query.get("order") === "asc" ? items : items.toReversed();
    const after = query.get("after");
    const from = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
    if (after !== null && from === 0)
      throw new FieldRefusal("after", `after: there is no item ${JSON.stringify(after)}`);
    const data = ordered.slice(from, from + limit);
    sendJson(res, 200, {
      object: "list",
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: from + data.length < ordered.length,
    });
  };
}
