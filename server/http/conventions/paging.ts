import type { IncomingMessage } from "node:http";
import { badRequest } from "../http-error.ts";

/** The most characters of `Link`: clients refuse headers of more than 16 kB together. */
const maxLink = 8_000;

/**
 * `X-Total-Count`, and `Link` (RFC 8288) with the other pages, those first without which a client would miss items; other
 * query fields stay.
 * @throws HttpError 400 for a query that is too long for a single link
 */
export function pageHeaders(
  { url = "" }: IncomingMessage,
  { page, page_size }: { readonly page: number; readonly page_size: number },
  total: number,
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / page_size));
  const [path = "", query = ""] = url.split(/\?(.*)/s);
  const link = (to: number, rel: string) => {
    const fields = new URLSearchParams(query);
    fields.set("page", String(to));
    fields.set("page_size", String(page_size));
    return `<${path}?${fields.toString()}>; rel="${rel}"`;
  };
  const links = [
    ...(page < last ? [link(page + 1, "next")] : []),
    ...(page > 1 ? [link(Math.min(page - 1, last), "prev")] : []),
    link(1, "first"),
    link(last, "last"),
  ];
  while (links.join(", ").length > maxLink) links.pop();
  if (links.length === 0) throw badRequest("query_too_long", "The query is too long for a link to another page.");
  return { "X-Total-Count": String(total), Link: links.join(", ") };
}
