/** A request as editable text: a recorded one with changes, or a new one. */
import {
  isMadeAnew,
  newRequestSchema,
  replaySchema,
  type NewRequest,
  type Replay,
} from "../../../server/contract/console/traffic/replay.ts";
import type { RecordedRequest, RequestService } from "../../../server/contract/console/traffic/requests.ts";
import { describable } from "../../../server/http/messages/describe-issue.ts";
import { hasLongRun } from "../../ui/code/bounded-text.ts";

export interface RequestDraft {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** One per line: `Name: value`. */
  readonly headers: string;
  /** Absent when no text is available, or none that an editor lays out in time; the recorded bytes are sent then. */
  readonly body: string | undefined;
}

/** The content type for a JSON body, the most common one. */
export const emptyRequestDraft: RequestDraft = {
  method: "GET",
  path: "/api/",
  headers: "Content-Type: application/json",
  body: "",
};

export function requestDraftOf({ method, path, query, request: { headers, body } }: RecordedRequest): RequestDraft {
  const isText = body.withheld === undefined && !body.truncated && body.base64 === undefined;
  const editable = isText && !hasLongRun(body.text ?? "");
  return {
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers: headers
      .filter(({ name }) => !isMadeAnew(name))
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

export const headerOfDraft = ({ headers }: RequestDraft, name: string): string | undefined =>
  readLines(headers).get(name)?.values[0];

const signedIn = /^authorization:\s*bearer\s+\{\{session:(\d+)\}\}\s*$/i;

/** The id of the session whose token is sent, if the headers refer to one. */
export function sessionOfDraft({ headers }: RequestDraft): string | undefined {
  for (const line of headers.split("\n")) {
    const session = signedIn.exec(line)?.[1];
    if (session !== undefined) return session;
  }
  return undefined;
}

/** The headers with that session's token instead of any other, or without one. */
export function withSession({ headers }: RequestDraft, session: string | undefined): string {
  const rest = headers.split("\n").filter((line) => line.trim() !== "" && !/^authorization\s*:/i.test(line));
  return (session === undefined ? rest : [...rest, `Authorization: Bearer {{session:${session}}}`]).join("\n");
}

function headerChanges(before: Lines, after: Lines): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const [key, { name, values }] of after)
    if (JSON.stringify(before.get(key)?.values) !== JSON.stringify(values)) changes[name] = values.join(", ");
  for (const [key, { name }] of before) if (!after.has(key)) changes[name] = null;
  return changes;
}

/** The changes to be sent. @throws ZodError whose first issue's path begins with the invalid field */
export function changesOf(before: RequestDraft, after: RequestDraft): Replay {
  const headers = headerChanges(readLines(before.headers), readLines(after.headers));
  return replaySchema.parse(
    {
      ...(after.method !== before.method && { method: after.method }),
      ...(after.path !== before.path && { path: after.path }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(after.body !== before.body && after.body !== undefined && { body: after.body }),
    },
    describable,
  );
}

/** @throws ZodError whose first issue's path begins with the invalid field */
export function newRequestOf(service: RequestService, { method, path, headers, body = "" }: RequestDraft): NewRequest {
  const pairs = [...readLines(headers).values()].map(({ name, values }) => [name, values.join(", ")] as const);
  return newRequestSchema.parse(
    {
      service,
      method,
      path,
      headers: Object.fromEntries(pairs),
      ...(body !== "" && { body }),
    },
    describable,
  );
}
