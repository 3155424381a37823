/** A recorded request as text to edit, and what of it was changed. */
import { replaySchema, type Replay } from "../../../server/contract/replay.ts";
import type { RecordedRequest } from "../../../server/contract/requests.ts";

export interface Draft {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** A line for each: `Name: value`. */
  readonly headers: string;
  /** Absent where no text is kept to edit; the recorded bytes are sent then. */
  readonly body: string | undefined;
}

/** Headers that are made anew for each message. */
const madeAnew = new Set([
  ...["connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"],
  "x-request-id",
]);

export function draftOf({ method, path, query, request: { headers, body } }: RecordedRequest): Draft {
  const editable = body.withheld === undefined && !body.truncated && body.base64 === undefined;
  return {
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers: headers
      .filter(({ name }) => !madeAnew.has(name.toLowerCase()))
      .map(({ name, value }) => `${name}: ${value}`)
      .join("\n"),
    body: editable ? (body.text ?? "") : undefined,
  };
}

type Lines = ReadonlyMap<string, { name: string; values: string[] }>;

function readLines(text: string): Lines {
  const lines = new Map<string, { name: string; values: string[] }>();
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const at = line.indexOf(":");
    const name = (at < 0 ? line : line.slice(0, at)).trim();
    const value = at < 0 ? "" : line.slice(at + 1).trim();
    const known = lines.get(name.toLowerCase());
    lines.set(name.toLowerCase(), { name: known?.name ?? name, values: [...(known?.values ?? []), value] });
  }
  return lines;
}

function headerChanges(before: Lines, after: Lines): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const [key, { name, values }] of after)
    if (JSON.stringify(before.get(key)?.values) !== JSON.stringify(values)) changes[name] = values.join(", ");
  for (const [key, { name }] of before) if (!after.has(key)) changes[name] = null;
  return changes;
}

/** What is to be sent differently. @throws ZodError whose first issue's path begins with the field at fault */
export function changesOf(before: Draft, after: Draft): Replay {
  const headers = headerChanges(readLines(before.headers), readLines(after.headers));
  return replaySchema.parse({
    ...(after.method !== before.method && { method: after.method }),
    ...(after.path !== before.path && { path: after.path }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(after.body !== before.body && after.body !== undefined && { body: after.body }),
  });
}
