/** Recorded requests as texts for people. */
import type { RecordedRequest, RecordedSummary } from "../../contract/console/traffic/requests.ts";
import { alignColumns, clockTime } from "../text-columns.ts";

const mostCharacters = 4_000;

const statusOf = ({ status }: RecordedSummary) => (status === undefined ? "none" : String(status));

export const printRequests = (requests: readonly RecordedSummary[]): string =>
  alignColumns(
    requests.map((request) => [
      String(request.id).padStart(5),
      clockTime(request.time),
      `${request.sender} → ${request.service}`.padEnd("provider → provider".length),
      statusOf(request),
      `${request.method} ${request.path}`,
      [request.error?.code, ...(request.faults ?? []).map(({ key, kind }) => `${key}:${kind}`)]
        .filter((part) => part !== undefined)
        .join(" "),
    ]),
  );

function bodyText({ size, text, base64, withheld }: RecordedRequest["request"]["body"]): string {
  if (size === 0) return "";
  if (text === undefined)
    return `(${String(size)} bytes${base64 === undefined ? `: ${withheld ?? "not kept"}` : ", binary"})`;
  const rest = text.length - mostCharacters;
  return rest > 0 ? `${text.slice(0, mostCharacters)}\n… ${String(rest)} more characters: --json prints all` : text;
}

const messageText = ({ headers, body }: RecordedRequest["request"]): string =>
  [...headers.map(({ name, value }) => `${name}: ${value}`), "", bodyText(body)].join("\n").trimEnd();

export function printRequest(recorded: RecordedRequest): string {
  const { method, path, query, error, faults = [] } = recorded;
  const target = `${method} ${path}${query === "" ? "" : `?${query}`}`;
  const about = [
    `request ${String(recorded.id)}  ${recorded.sender} → ${recorded.service}  ${String(Math.round(recorded.ms))} ms`,
    ...(error ? [`error ${error.code}: ${error.message}`] : []),
    ...(faults.length > 0 ? [`faults ${faults.map(({ key, kind }) => `${key}:${kind}`).join(" ")}`] : []),
  ];
  return [
    ...about,
    "",
    target,
    messageText(recorded.request),
    "",
    statusOf(recorded),
    messageText(recorded.response),
  ].join("\n");
}
