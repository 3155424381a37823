import type { IncomingMessage } from "node:http";
import { refuse } from "../http-error.ts";

/** The most characters of `Link`: clients refuse headers of more than 16 kB together. */
const maxLink = 8_000;

/**
 * `X-Total-Count`, and `Link` (RFC 8288) with the other pages; other query fields stay. For a long query, links that a
 * client can do without are omitted.
 * @throws HttpError 400 for a query that is too long for the link to the next page
 */
export function pageHeaders(
  { url = "" }: IncomingMessage,
  { page, page_size }: { readonly page: number; readonly page_size: number },
  total: number,
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / page_size));
  const [path = "", query = ""] = url.split(/\?(.*)/s);
  const link = (rel: string, to: number) => {
    // A question mark at the beginning would be taken for the query's own.
    const fields = new URLSearchParams(query.replace(/^[?]/, "%3F"));
    fields.set("page", String(to));
    fields.set("page_size", String(page_size));
    return [rel, `<${path}?${fields.toString()}>; rel="${rel}"`] as const;
  };
  const links = new Map([
    link("first", 1),
    ...(page > 1 ? [link("prev", Math.min(page - 1, last))] : []),
    ...(page < last ? [link("next", page + 1)] : []),
    link("last", last),
  ]);
  const textOf = () => [...links.values()].join(", ");
  let text = textOf();
  for (const rel of ["last", "first", "prev"]) {
    if (text.length <= maxLink) break;
    links.delete(rel);
    text = textOf();
  }
  if (text.length > maxLink) throw refuse("query.tooLong");
  return { "X-Total-Count": String(total), ...(links.size > 0 && { Link: text }) };
}
