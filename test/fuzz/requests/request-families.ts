/** Whole requests, their bytes on the wire, and bytes that only resemble requests. */
import { METHODS } from "node:http";
import fc from "fast-check";
import { damaged, formBody, jsonBody, longBody, readable, xmlBody, type FuzzBody } from "./bodies.ts";
import { header, host, type Header } from "./headers.ts";
import { multipartBody } from "./multipart.ts";
import { plainTarget, query, target } from "./targets.ts";

/** In whose name a request is sent: two users, one who has not finished the login, and nobody. */
export const people = ["alice", "bob", "half", "nobody"] as const;
export type Person = (typeof people)[number];

export interface FuzzRequest {
  readonly method: string;
  /** One character for each byte, as in the headers. */
  readonly target: string;
  readonly host: string;
  readonly headers: readonly Header[];
  readonly person: Person;
  readonly body?: FuzzBody | undefined;
  /** Sizes of the chunks in which the body goes; none: with its length. */
  readonly chunks?: readonly number[] | undefined;
}

const person = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Person>("alice", "bob") },
  { weight: 1, arbitrary: fc.constantFrom(...people) },
);
const commonMethod = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");
/** CONNECT asks for a tunnel: what follows is no HTTP any more. */
const anyMethod = fc.oneof(
  { weight: 4, arbitrary: commonMethod },
  { weight: 1, arbitrary: fc.constantFrom(...METHODS.filter((method) => method !== "CONNECT")) },
);
const chunks = fc.option(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 }), {
  freq: 4,
  nil: undefined,
});
const headers = (most: number) => fc.array(header, { maxLength: most });
const local = fc.constant("localhost");

/** An operation that the server describes. */
export interface Operation {
  readonly method: string;
  /** With `{names}` in the place of its parameters. */
  readonly path: string;
  readonly takesBody: boolean;
}

export const familyNames = [
  "paths",
  "verbs",
  "headers",
  "query strings",
  "JSON bodies",
  "form bodies",
  "XML bodies",
  "multipart bodies",
] as const;

/** Requests that try one thing each. `extras` are paths beside those of the operations. */
export function requestFamilies(
  operations: readonly Operation[],
  extras: readonly string[],
): Record<(typeof familyNames)[number], fc.Arbitrary<FuzzRequest>> {
  const paths = [...new Set(operations.map(({ path }) => path)), ...extras];
  /** A known operation mostly, now and then another method. */
  const known = (among: readonly Operation[], method = commonMethod) =>
    fc.constantFrom(...among).chain(({ method: own, path }) =>
      fc.record({
        method: fc.oneof({ weight: 9, arbitrary: fc.constant(own) }, { weight: 1, arbitrary: method }),
        target: plainTarget([path]),
      }),
    );
  const withBody = (body: fc.Arbitrary<FuzzBody>, among: readonly Operation[]): fc.Arbitrary<FuzzRequest> =>
    fc
      .tuple(known(among), fc.record({ host: local, headers: headers(1), person, body, chunks }))
      .map(([operation, rest]) => ({ ...operation, ...rest }));
  const takers = operations.filter(({ takesBody, path }) => takesBody && !isUpload(path));
  const readers = operations.filter(({ method }) => method === "GET");
  const plain = fc.record({ host: local, headers: headers(1), person });
  return {
    paths: fc
      .tuple(
        fc.record({ method: fc.constantFrom("GET", "GET", "HEAD", "DELETE", "POST"), target: target(paths) }),
        plain,
      )
      .map(([asked, rest]) => ({ ...asked, ...rest })),
    verbs: fc
      .tuple(fc.record({ method: anyMethod, target: target(paths) }), plain)
      .map(([asked, rest]) => ({ ...asked, ...rest })),
    headers: fc
      .tuple(
        fc.oneof(
          { weight: 4, arbitrary: known(operations) },
          { weight: 1, arbitrary: fc.record({ method: commonMethod, target: plainTarget(extras) }) },
        ),
        fc.record({ host, headers: headers(6), person }),
      )
      .map(([asked, rest]) => ({ ...asked, ...rest })),
    "query strings": fc
      .tuple(known(readers), query, plain)
      .map(([asked, fields, rest]) => ({ ...asked, target: asked.target + fields, ...rest })),
    "JSON bodies": withBody(jsonBody, takers),
    "form bodies": withBody(formBody, takers),
    "XML bodies": withBody(xmlBody, takers),
    "multipart bodies": withBody(
      fc.oneof({ weight: 40, arbitrary: multipartBody }, { weight: 1, arbitrary: longBody }),
      operations.filter(({ path, method }) => isUpload(path) && method === "POST"),
    ),
  };
}

const isUpload = (path: string) => /^\/api\/(uploads|avatars)$/.test(path);

const ownsContentType = (given: readonly Header[]) => given.some(([name]) => name.toLowerCase() === "content-type");

/** The bytes of a request, its body framed as it says. `credentials` are the headers of its person. */
export function bytesOf(request: FuzzRequest, credentials: readonly Header[]): Buffer {
  const { method, target: asked, body, chunks: sizes } = request;
  const lines = [
    `${method} ${asked} HTTP/1.1`,
    `Host: ${request.host}`,
    ...[...credentials, ...request.headers].map(([name, value]) => `${name}: ${value}`),
    ...(body && !ownsContentType(request.headers) ? [`Content-Type: ${body.type}`] : []),
    ...(body ? [sizes ? "Transfer-Encoding: chunked" : `Content-Length: ${String(body.bytes.length)}`] : []),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  if (!body) return head;
  return Buffer.concat([head, ...(sizes ? inChunks(body.bytes, sizes) : [body.bytes])]);
}

/** The last size repeats itself, doubled each time, so that a long body does not fall into a million chunks. */
function inChunks(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  let size = 1;
  for (let at = 0, index = 0; at < bytes.length; at += size, index++) {
    size = sizes[index] ?? size * 2;
    const chunk = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
  }
  return [...parts, Buffer.from("0\r\n\r\n")];
}

const rawTexts = fc.constantFrom(
  "\r\n\r\n",
  "GET\r\n\r\n",
  "GET / HTTP/1.1",
  "GET / HTTP/1.1\r\n\r\n",
  "GET / HTTP/1.0\r\n\r\n",
  "GET / HTTP/2.0\r\nHost: localhost\r\n\r\n",
  "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "GET /healthz\r\n",
  "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n",
  "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
  "GET / HTTP/1.1\nHost: localhost\n\n",
  "POST /api/articles HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
  "POST /api/articles HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
  "POST /api/articles HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
  "POST /api/articles HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc",
  "POST /api/articles HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST /api/articles HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
  "POST /api/articles HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "POST /api/articles HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
  "POST /api/articles HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\na",
  `GET / HTTP/1.1\r\nHost: localhost\r\n${"X-A: 1\r\n".repeat(3_000)}\r\n`,
  `GET /${"a".repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
);

/** Requests in the bytes: as many as came whole, in their order. */
export interface RawBytes {
  readonly bytes: Buffer;
  readonly methods: readonly string[];
}

/** Several requests at once, and bytes that are none. `credentialsOf` gives the headers of a person. */
export function rawBytes(
  families: readonly fc.Arbitrary<FuzzRequest>[],
  credentialsOf: (person: Person) => readonly Header[],
): { pipelined: fc.Arbitrary<RawBytes>; broken: fc.Arbitrary<RawBytes> } {
  const one = fc.oneof(...families);
  // Whoever reads the answers of broken requests does not know their methods, and a HEAD's answer reads unlike any other.
  const sent = one.map((request) =>
    bytesOf({ ...request, method: request.method === "HEAD" ? "GET" : request.method }, credentialsOf(request.person)),
  );
  return {
    pipelined: fc.array(one, { minLength: 2, maxLength: 4 }).map((requests) => ({
      bytes: readable(Buffer.concat(requests.map((request) => bytesOf(request, credentialsOf(request.person))))),
      methods: requests.map(({ method }) => method),
    })),
    broken: fc
      .oneof(
        { weight: 3, arbitrary: damaged(sent) },
        { weight: 2, arbitrary: rawTexts.map((text) => Buffer.from(text, "latin1")) },
        { weight: 1, arbitrary: damaged(rawTexts.map((text) => Buffer.from(text, "latin1"))) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
      )
      .map((bytes) => ({ bytes: readable(bytes), methods: [] })),
  };
}
