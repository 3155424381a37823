import { describe, expect, it, vi } from "vitest";
import { lineChanges } from "../../../../../renderer/features/requests/message/line-changes.ts";
import { readMultipart } from "../../../../../renderer/features/requests/message/multipart.ts";
import { listenToRecording } from "../../../../../renderer/features/requests/recording-stream.ts";
import { filterOf } from "../../../../../renderer/features/requests/request-filter.ts";
import { requestsSearch } from "../../../../../renderer/features/requests/requests-search.ts";
import {
  changesOf,
  requestDraftOf,
  emptyRequestDraft,
  newRequestOf,
  sessionOfDraft,
  withSession,
} from "../../../../../renderer/features/requests/request-draft.ts";
import { arrivedBy, streamPieces, textIn } from "../../../../../renderer/features/requests/message/stream-pieces.ts";
import { hexDump, decodedText } from "../../../../../renderer/features/requests/message/wire-body.ts";
import type { RecordedRequest } from "../../../../../server/contract/console/traffic/requests.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("The filter of the requests page", () => {
  it("takes a path with wildcards as a pattern, and any other text as a part of the path", () => {
    expect(filterOf({ path: "/api/**" })).toEqual({ path: "/api/**" });
    expect(filterOf({ path: "/api/{id}" })).toEqual({ path: "/api/{id}" });
    expect(filterOf({ path: "v1.0/(x)" })).toEqual({ path_regex: "v1\\.0/\\(x\\)" });
  });

  it("distinguishes failures from the classes of statuses", () => {
    expect(filterOf({ status: "failed" })).toEqual({ failed: true });
    expect(filterOf({ status: "4xx", session: "3" })).toEqual({ status: "4xx", session: 3 });
  });
});

describe("The address of the requests page", () => {
  it("keeps every filter that the server knows, and drops others", () => {
    const read = (search: object) => requestsSearch.parse(search);
    for (const status of ["404", "500,404", "4xx", "none", "failed"]) expect(read({ status })).toEqual({ status });
    expect(read({ method: "PROPFIND", service: "model", uid: "u1" })).toMatchObject({ method: "PROPFIND", uid: "u1" });
    expect(filterOf(read({ status: "bogus", method: "?", service: "nothing", uid: "ada", q: "x" }))).toEqual({
      q: "x",
    });
  });
});

describe("The parts of a multipart body", () => {
  const type = "multipart/form-data; boundary=x1";
  const part = (head: string, body: string) => `--x1\r\n${head}\r\n\r\n${body}\r\n`;
  const file = part(
    'Content-Disposition: form-data; name="[]"; filename="a \\"b\\".png"\r\nContent-Type: image/png',
    "\r\n--x2",
  );
  const field = part('content-disposition: form-data; name="type"', "图");

  it("are its fields and files, to the byte", () => {
    const parts = readMultipart(bytes(`${file}${field}--x1--\r\n`), type) ?? [];
    expect(parts.map(({ name, fileName, contentType }) => [name, fileName, contentType])).toEqual([
      ["[]", 'a \\"b\\".png', "image/png"],
      ["type", undefined, undefined],
    ]);
    expect(parts.map((one) => new TextDecoder().decode(one.bytes))).toEqual(["\r\n--x2", "图"]);
  });

  it("hold what there is of a last one that was cut off, and nothing where there is no boundary", () => {
    const parts = readMultipart(bytes(file + field.slice(0, -3)), type) ?? [];
    expect(parts).toHaveLength(2);
    expect(readMultipart(bytes(file), "application/json")).toBeUndefined();
    expect(readMultipart(bytes("no such thing"), 'multipart/mixed; boundary="x1"')).toEqual([]);
  });
});

describe("A streamed answer", () => {
  const body = bytes('{"message":{"content":"图"}}\n{"message":{"content":"书"},"done":true}\n');
  const pieces = streamPieces(body, [
    { size: 24, ms: 10 }, // in the middle of the first character
    { size: 6, ms: 20 },
    { size: body.length - 30, ms: 40 },
  ]);

  it("is cut where it was written, without breaking a character", () => {
    expect(pieces.map(({ text }) => text).join("")).toBe(new TextDecoder().decode(body));
    expect(pieces.every(({ text }) => !text.includes("\ufffd"))).toBe(true);
    expect([5, 10, 39, 40].map((ms) => arrivedBy(pieces, ms))).toEqual([0, 1, 2, 3]);
  });

  it("is read as what the model says, of Ollama, OpenAI and Anthropic", () => {
    expect(textIn(new TextDecoder().decode(body))).toBe("图书");
    expect(textIn('data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: [DONE]\n')).toBe("a");
    expect(textIn('event: content_block_delta\ndata: {"delta":{"type":"text_delta","text":"b"}}\n')).toBe("b");
    expect(textIn('{"status":"pulling"}\n')).toBeUndefined();
  });
});

describe("A request that is edited and sent again", () => {
  const recorded = {
    method: "POST",
    path: "/api/articles",
    query: "pretty",
    request: {
      headers: [
        { name: "Host", value: "127.0.0.1:3080" },
        { name: "authorization", value: "Bearer {{session:1}}" },
        { name: "content-type", value: "application/json" },
      ],
      body: { size: 2, truncated: false, text: "{}" },
    },
  } as RecordedRequest;
  const draft = requestDraftOf(recorded);

  it("sends nothing but what was changed", () => {
    expect(draft).toMatchObject({ path: "/api/articles?pretty", body: "{}" });
    expect(draft.headers).not.toContain("Host");
    expect(changesOf(draft, draft)).toEqual({});
    const headers = "authorization: Bearer {{session:1}}\nContent-Type: text/plain\nX-New: a: b";
    expect(changesOf(draft, { ...draft, method: "PUT", headers, body: "text" })).toEqual({
      method: "PUT",
      headers: { "Content-Type": "text/plain", "X-New": "a: b" },
      body: "text",
    });
    expect(changesOf(draft, { ...draft, headers: "" })).toEqual({
      headers: { authorization: null, "content-type": null },
    });
  });

  it("names the field that cannot be sent", () => {
    expect(() => changesOf(draft, { ...draft, path: "api" })).toThrow(/path[^]*must start with '\/'/);
  });

  it("takes a header of Latin-1 only", () => {
    expect(() => changesOf(draft, { ...draft, headers: "X-Test: 你好" })).toThrow(/must be one line of Latin-1/);
  });

  it("leaves a body alone that is no text", () => {
    const binary = {
      ...recorded,
      request: { ...recorded.request, body: { size: 1, truncated: false, base64: "AA==" } },
    };
    expect(requestDraftOf(binary).body).toBeUndefined();
    expect(changesOf(requestDraftOf(binary), requestDraftOf(binary))).toEqual({});
  });
});

describe("A new request", () => {
  it("is what was written, and signs in by a reference to a session in place of any other token", () => {
    const headers = "authorization: Bearer other\nX-Mine: a\nX-Mine: b";
    const signed = withSession({ ...emptyRequestDraft, headers }, "12");
    expect(signed).toBe("X-Mine: a\nX-Mine: b\nAuthorization: Bearer {{session:12}}");
    const draft = { ...emptyRequestDraft, method: "POST", headers: signed, body: "{}" };
    expect(sessionOfDraft(draft)).toBe("12");
    expect(newRequestOf("app", draft)).toEqual({
      service: "app",
      method: "POST",
      path: "/api/",
      headers: { "X-Mine": "a, b", Authorization: "Bearer {{session:12}}" },
      body: "{}",
    });
    expect(withSession(draft, undefined)).toBe("X-Mine: a\nX-Mine: b");
    expect(sessionOfDraft({ ...draft, headers })).toBeUndefined();
    expect(newRequestOf("model", emptyRequestDraft)).not.toHaveProperty("body");
  });
});

describe("The comparison of two answers", () => {
  it("marks the lines that differ", () => {
    const changes = lineChanges("a\nb\nc", "a\nx\nc\nd") ?? [];
    expect(changes.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "same a",
      "removed b",
      "added x",
      "same c",
      "added d",
    ]);
    expect(lineChanges("x\n".repeat(3_000), "y")).toBeUndefined();
  });
});

describe("A binary body", () => {
  it("is shown as text where it is readable, else as numbers", () => {
    expect(decodedText(bytes("图"))).toBe("图");
    expect(decodedText(new Uint8Array([0x89, 0x50, 0xff]))).toBeUndefined();
    expect(decodedText(new Uint8Array([0x61, 0]))).toBeUndefined();
    expect(hexDump(bytes("PK\u0001 and more"))).toBe(
      "000000  50 4b 01 20 61 6e 64 20  PK. and \n000008  6d 6f 72 65              more",
    );
  });
});

describe("The stream of the recording", () => {
  function listen() {
    const listeners = new Map<string, (message: { data?: unknown }) => void>();
    const changes = { rows: vi.fn(), changed: vi.fn(), removed: vi.fn() };
    const source = {
      readyState: 1,
      addEventListener: (type: string, on: (message: { data?: unknown }) => void) => void listeners.set(type, on),
      close: vi.fn(),
    };
    const stop = listenToRecording(() => source, changes);
    const report = (newest_id: number, total: number) =>
      listeners.get("requests")?.({ data: JSON.stringify({ newest_id, total, dropped: 0 }) });
    return { changes, tell: report, stop, source };
  }

  it("asks for new requests, and begins anew when they were cleared, not when the oldest went by themselves", () => {
    const { changes, tell: notify, stop, source } = listen();
    notify(5, 5);
    notify(9, 9);
    notify(9, 9);
    expect(changes.changed).toHaveBeenCalledTimes(2);
    notify(300, 299);
    notify(400, 200); // more came than went
    expect(changes.removed).not.toHaveBeenCalled();
    notify(400, 199);
    notify(402, 2);
    expect(changes.removed).toHaveBeenCalledTimes(2);
    stop();
    expect(source.close).toHaveBeenCalledOnce();
  });
});
