/** Addresses of requests, from the paths of operations. */

/** The path with values in place of its `{names}`. */
export function fillPath(path: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** `?name=value…` for the given values; a list repeats its name. */
export function searchOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== "") search.append(name, String(one));
  return search.size === 0 ? "" : `?${search.toString()}`;
}
