/** Parameters of headers, as in `multipart/form-data; boundary="a b"`. */

const parameter = /;[ \t]*(?<name>[^\s=;]+)=(?:"(?<quoted>[^"\\]*(?:\\[^][^"\\]*)*)"?|(?<token>[^\s;"]*))/g;

/** The value of a parameter, of which the first counts; undefined without one. */
export function parameterIn(header: string, name: string): string | undefined {
  for (const { groups = {} } of header.matchAll(parameter))
    if (groups["name"]?.toLowerCase() === name) return groups["quoted"]?.replace(/\\([^])/g, "$1") ?? groups["token"];
  return undefined;
}
