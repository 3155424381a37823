/** Calls as the recorder keeps them, whatever a client and a service have said to each other. */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { writeHar } from "../../server/app/requests/har.ts";
import { recordExchange } from "../../server/app/requests/record-exchange.ts";
import { recordedRequest } from "../../server/app/requests/recorded-request.ts";
import { secretNamesOf } from "../../server/app/requests/secrets/secret-names.ts";
import { textFormOf, replaceSecrets } from "../../server/app/requests/secrets/secret-text.ts";
import { createSecretVault } from "../../server/app/requests/secrets/secret-vault.ts";
import { snippetOf } from "../../server/app/requests/snippets.ts";
import { fuzz } from "./families.ts";
import { changed, changedBytes } from "./inputs/changes.ts";

const texts = [
  '{"user":"a","password":"b\\"c","nested":{"token":["x",{"a":1}]},"n":null}',
  '<result><password>a</password><entry key="token">b</entry><a/></result>',
  "user=a&password=b%20c&token=&x",
  '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nsecret\r\n--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nb\r\n--x--\r\n',
];
const types = [
  "application/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "",
];
const words = [
  ...[
    '"password":',
    '"',
    "\\",
    "{",
    "[",
    "<password>",
    "</password>",
    "<entry key=",
    "password=",
    "&",
    "%",
    "\r\n--x",
    "--",
  ],
  ...["\r\n\r\n", "Content-Disposition: form-data; name=", "{{password:1}}", "token"],
];
const type = changed(fc.constantFrom(...types), { words: ["boundary=", '"', ";", "multipart/form-data", "+json"] });
const isSecret = secretNamesOf(() => [])("app", "/").field;

describe("what is recorded:", () => {
  fuzz("secrets in texts", {
    inputs: fc.tuple(fc.constantFrom(...types), changed(fc.constantFrom(...texts), { words })),
    read([contentType, text]) {
      const form = textFormOf(contentType, text);
      // What is no secret stays as it is, and so does a secret that is put back.
      expect(
        replaceSecrets(
          text,
          form,
          () => false,
          () => "",
        ),
      ).toBe(text);
      expect(replaceSecrets(text, form, isSecret, (_name, raw) => raw)).toBe(text);
    },
  });

  const hiding = {
    secretNames: secretNamesOf(() => ["pin"]),
    vault: createSecretVault(1_000_000),
    consoleToken: "the run's token",
  };
  const body = changedBytes(fc.constantFrom(...texts.map((text) => Buffer.from(text))), { words }).chain((bytes) =>
    fc.nat({ max: bytes.length }).map((kept) => ({ chunks: [bytes.subarray(0, kept)], kept, size: bytes.length })),
  );
  const header = changed(fc.constantFrom("Bearer abc", "a=b; c=d", "Basic YTpi", "gzip", "{{x}}", "token"));
  const call = fc.record({
    target: changed(fc.constant("/api/sessions?code=1&token=abc&x=%E0%A4%A"), {
      words: ["?", "&", "=", "%", "token="],
    }),
    requestType: type,
    responseType: type,
    value: header,
    requestBody: body,
    responseBody: body,
    service: fc.constantFrom("app", "provider", "model"),
    status: fc.constantFrom(200, 400, 503),
  });

  fuzz("recorded calls", {
    inputs: call,
    read({ target, requestType, responseType, value, requestBody, responseBody, service, status }) {
      const exchange = {
        service,
        status,
        time: 0,
        ms: 1,
        method: "POST",
        target,
        requestHeaders: ["Content-Type", requestType, "Authorization", value, "X-Other", value],
        requestBody,
        client: "::ffff:127.0.0.1",
        responseHeaders: { "content-type": responseType, "set-cookie": [value], "content-encoding": "" },
        responseBody,
        complete: true,
        notes: { session: { id: 1, userId: 2, token: "abc" } },
      } as unknown as Parameters<typeof recordExchange>[0];
      const recorded = recordedRequest(recordExchange(exchange, 1, {}, hiding));
      for (const format of ["curl", "fetch", "httpie"] as const) snippetOf(format, recorded, "http://localhost");
      JSON.parse([...writeHar([recorded], () => "http://localhost", "1")].join(""));
    },
  });
});
