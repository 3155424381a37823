import type { IncomingMessage } from "node:http";

/** Sets `X-Total-Count`, and `Link` (RFC 8288) with the neighbouring pages; other query fields stay. */
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
    link(1, "first"),
    ...(page > 1 ? [link(Math.min(page - 1, last), "prev")] : []),
    ...(page < last ? [link(page + 1, "next")] : []),
    link(last, "last"),
  ];
  return { "X-Total-Count": String(total), Link: links.join(", ") };
}
