/** Headers of requests, those that the server reads before all. Never those that say where a message ends. */
import fc from "fast-check";
import { headerText } from "../inputs/texts.ts";

export type Header = readonly [name: string, value: string];

const mediaTypes = [
  "application/json",
  "application/xml",
  "text/xml",
  "text/html",
  "*/*",
  "image/png",
  "application/yaml",
];
const accept = fc
  .array(
    fc.tuple(
      fc.constantFrom(...mediaTypes, "application/*", "a/b;c=d", ";", "/"),
      fc.constantFrom("", ";q=0", ";q=0.5", ";q=x"),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((ranges) => ranges.map(([type, weight]) => type + weight).join(", "));

/** What these headers usually hold, beside anything else. */
const usual: Readonly<Record<string, fc.Arbitrary<string>>> = {
  Accept: accept,
  "Accept-Encoding": fc.constantFrom("gzip", "identity;q=0", "*;q=0"),
  "Accept-Language": fc.constantFrom("zh-CN", "*"),
  Authorization: fc.constantFrom(
    "Bearer",
    "Bearer a b",
    "Basic",
    "Basic !!!",
    "Basic Og==",
    "Basic YTpi",
    "Digest x",
    "bearer x",
  ),
  "X-Access-Token": fc.constantFrom("x", "a".repeat(5_000)),
  "Content-Type": fc.constantFrom(
    ...["application/json", "application/json; charset=latin1", "application/x-www-form-urlencoded", "text/plain"],
    ...["multipart/form-data", 'multipart/form-data; boundary="', "multipart/form-data; boundary=x", "application/xml"],
    ...["application/merge-patch+json", "text/xml;charset=utf-16", ";", "json"],
  ),
  "Content-Encoding": fc.constantFrom("gzip", "identity", "br"),
  Cookie: fc.constantFrom("hearth_console_1=x", "a=b; a=c", "=", "%"),
  "If-Match": fc.constantFrom("*", '"v1"', 'W/"v1", "v2"', '"', "v1"),
  "If-None-Match": fc.constantFrom("*", '"v1"', 'W/"v1"', ","),
  "If-Modified-Since": fc.constantFrom("Thu, 01 Jan 1970 00:00:00 GMT", "never"),
  "If-Range": fc.constantFrom('"v1"', "never"),
  Range: fc.constantFrom(
    "bytes=0-0",
    "bytes=-1",
    "bytes=5-1",
    "bytes=0-,-1",
    "bytes=99999999999-",
    "lines=1-2",
    "bytes=a-b",
  ),
  Prefer: fc.constantFrom("return=minimal", "return=minimal; x=1, wait=5", "="),
  Origin: fc.constantFrom("null", "http://localhost:1", "http://evil.example", "http://[::1", "file://"),
  Referer: fc.constantFrom("http://evil.example/"),
  "Access-Control-Request-Method": fc.constantFrom("PUT", "", "PROPFIND"),
  "Access-Control-Request-Headers": fc.constantFrom("authorization", ",,,"),
  "X-Request-Id": fc.constantFrom("id-1", "a".repeat(65), "a b"),
  "X-Event-Id": fc.constantFrom("event-1", "e".repeat(3_000)),
  "X-Forwarded-For": fc.constantFrom("1.2.3.4", "::1"),
  "X-HTTP-Method-Override": fc.constantFrom("DELETE"),
  "Last-Event-ID": fc.constantFrom("1", "-1", "x"),
  "Idempotency-Key": fc.constantFrom("k"),
  Expect: fc.constantFrom("100-continue", "200-ok", ""),
  Upgrade: fc.constantFrom("websocket", "h2c"),
  Connection: fc.constantFrom("keep-alive", "close", "Upgrade", "keep-alive, X-Access-Token"),
  "Keep-Alive": fc.constantFrom("timeout=0", "max=x"),
  Trailer: fc.constantFrom("X-Trailer"),
  TE: fc.constantFrom("trailers"),
};

/** As a header's name may be by the book, and as it may not. */
const anyName = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("X-A", "__proto__", "constructor", "x_y", "~", "X".repeat(200)) },
  { weight: 1, arbitrary: fc.constantFrom("X A", "é", "", "X(", "@") },
);

const known = fc
  .constantFrom(...Object.keys(usual))
  .chain((name): fc.Arbitrary<Header> =>
    fc.tuple(
      fc.constantFrom(name, name.toLowerCase(), name.toUpperCase()),
      fc.oneof({ weight: 4, arbitrary: usual[name] ?? headerText }, { weight: 1, arbitrary: headerText }),
    ),
  );

export const header: fc.Arbitrary<Header> = fc.oneof(
  { weight: 12, arbitrary: known },
  { weight: 1, arbitrary: fc.tuple(anyName, headerText) },
);

/** A Host that this machine answers to, mostly. */
export const host = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom("localhost", "127.0.0.1:80", "[::1]:80") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("evil.example", "", "localhost:x", "[", "a".repeat(300), "localhost@evil.example"),
  },
);
