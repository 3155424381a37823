/** Recorded requests as an HTTP archive (HAR 1.2). */
import type { RecordedBody, RecordedRequest } from "../../contract/console/traffic/requests.ts";
import { headerOf } from "./recorded-request.ts";

/** Base URL of the service that got the request. */
type BaseUrlOf = (recorded: RecordedRequest) => string;

const pairs = (text: string) =>
  text === "" ? [] : [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }));

function postData({ headers, body }: RecordedRequest["request"]) {
  if (body.text === undefined && body.base64 === undefined) return {};
  const mimeType = headerOf(headers, "content-type") ?? "";
  const text = body.text ?? body.base64;
  // HAR 1.2 has no member for an encoding; browsers write this one.
  return { postData: { mimeType, text, ...(body.base64 !== undefined && { encoding: "base64" }) } };
}

const contentOf = ({ size, text, base64 }: RecordedBody, mimeType: string) => ({
  size,
  mimeType,
  ...(text !== undefined && { text }),
  ...(base64 !== undefined && { text: base64, encoding: "base64" }),
});

const notesOn = (name: string, { truncated, withheld }: RecordedBody) => [
  ...(truncated ? [`the ${name} body is cut`] : []),
  ...(withheld === undefined ? [] : [`the ${name} body is not kept: ${withheld}`]),
];

const commentOf = ({ request, response }: RecordedRequest): string =>
  [...notesOn("request", request.body), ...notesOn("response", response.body)].join("; ");

/** The wait for a streamed answer ends with its first piece. */
function timingsOf({ ms, response: { chunks } }: RecordedRequest) {
  const wait = Math.min(ms, chunks?.[0]?.ms ?? ms);
  return { send: 0, wait, receive: Math.round((ms - wait) * 100) / 100 };
}

function entryOf(recorded: RecordedRequest, baseUrl: BaseUrlOf): object {
  const { request, response, query } = recorded;
  const comment = commentOf(recorded);
  return {
    startedDateTime: recorded.time,
    time: recorded.ms,
    request: {
      method: recorded.method,
      url: baseUrl(recorded) + recorded.path + (query === "" ? "" : `?${query}`),
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: request.headers,
      queryString: pairs(query),
      ...postData(request),
      headersSize: -1,
      bodySize: request.body.size,
    },
    response: {
      status: recorded.status ?? 0,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: response.headers,
      content: contentOf(response.body, headerOf(response.headers, "content-type") ?? ""),
      redirectURL: headerOf(response.headers, "location") ?? "",
      headersSize: -1,
      bodySize: response.body.size,
    },
    cache: {},
    timings: timingsOf(recorded),
    ...(comment !== "" && { comment }),
  };
}

/** The text of an archive, piece by piece, because all bodies at once may not fit into memory. */
export function* writeHar(requests: Iterable<RecordedRequest>, baseUrl: BaseUrlOf, version: string): Generator<string> {
  const creator = JSON.stringify({ name: "Hearth", version });
  yield `{"log":{"version":"1.2","creator":${creator},"entries":[`;
  let separator = "";
  for (const recorded of requests) {
    yield separator + JSON.stringify(entryOf(recorded, baseUrl));
    separator = ",";
  }
  yield "]}}";
}
