/** Short texts of many kinds: headers, forms, lines of streams, settings, durations. */
import type { IncomingMessage } from "node:http";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, describe, expect } from "vitest";
import { z } from "zod";
import { readLines } from "../../server/contract/read-lines.ts";
import { basicCredentials } from "../../server/http/conventions/basic-auth.ts";
import { bearerOf } from "../../server/http/conventions/bearer-token.ts";
import { coerceForm } from "../../server/http/formats/coerce-form.ts";
import { HttpError } from "../../server/http/http-error.ts";
import { parseForm } from "../../server/http/formats/parse-form.ts";
import { contentType } from "../../server/http/formats/read-body.ts";
import { readXml } from "../../server/http/formats/read-xml.ts";
import { OllamaError } from "../../server/model/ollama-error.ts";
import { parseGoDuration, parseKeepAlive } from "../../server/model/options/go-duration.ts";
import { configFileName } from "../../server/process/settings/config-file.ts";
import { parseSettings } from "../../server/process/command-line/parse-input.ts";
import { resolveSettings } from "../../server/process/settings/read-settings.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fuzz, refusesBy } from "./families.ts";
import { changed, changedJson } from "./inputs/changes.ts";
import { anyText } from "./inputs/texts.ts";

const isRefusal = (error: unknown) => error instanceof HttpError && error.status === 400;

describe("texts of requests:", () => {
  const schema = z.object({
    title: z.string().optional(),
    count: z.number().optional(),
    list: z.array(z.string()).optional(),
    labels: z.record(z.string(), z.string()).optional(),
  });

  fuzz("forms and queries", {
    inputs: changed(fc.constantFrom("title=a+b&count=1&list=x", "title=%E5%9B%BE&count=1e5"), {
      words: ["&", "=", "%", "+", "%E0%A4%A", "count=", "__proto__=1", "title=", "&&&&", "%00"],
    }),
    read: (text) => coerceForm(parseForm(text, "body"), schema),
    refuses: isRefusal,
  });

  fuzz("XML texts", {
    inputs: changed(
      fc.constantFrom(
        '<?xml version="1.0"?><a><title>x</title><count>1</count><list><item>a</item></list></a>',
        '<a><labels><entry key="b">c</entry></labels><title encoding="base64">YQ==</title><!-- c --></a>',
      ),
      {
        words: [
          "<![CDATA[",
          "]]>",
          "<!--",
          "-->",
          "<?",
          "?>",
          "&#0;",
          "&lt;",
          "<a",
          "/>",
          "</a>",
          " a='1'",
          "<!DOCTYPE a []>",
          "&x;",
        ],
        brackets: [
          ["<a>", "</a>"],
          ["<item>", ""],
          ["<!--", "-->"],
          ["<![CDATA[", "]]>"],
        ],
      },
    ),
    read: (text) => schema.safeParse(readXml(text, schema).value),
    refuses: isRefusal,
  });

  fuzz("cookies and authorizations", {
    inputs: changed(fc.constantFrom("Basic YTpi", "Bearer abc", "a=b; c=d", "text/xml; charset=utf-8"), {
      words: [" ", "=", ";", ".", "Basic ", "Bearer ", "charset=", '"'],
    }),
    read(authorization) {
      const request = { headers: { authorization } } as IncomingMessage;
      bearerOf(request);
      contentType(authorization);
      basicCredentials(request);
    },
    refuses: isRefusal,
  });
});

describe("texts of the model service:", () => {
  fuzz("durations", {
    inputs: fc.oneof(
      changed(fc.constantFrom("1h2m3.5s", "-300ms", "0", "5µs"), { words: [".", "-", "9", "ns", "h", "1e9"] }),
      fc.jsonValue({ maxDepth: 1 }),
    ),
    read(value) {
      if (typeof value === "string") parseGoDuration(value);
      parseKeepAlive(value);
    },
    refuses: (error) => error instanceof OllamaError && error.status === 400,
  });

  const streamed = changed(fc.constantFrom('{"a":1}\n{"b":"图"}\n', "data: x\n\n", "\n\n", '{"a":"\\n"}'), {
    words: ["\n", "\r\n", "图", "😀", "\u2028", "\0"],
  });
  /** In pieces: many of them where the text is short, so that there are not more than some thousand. */
  const pieces = fc.tuple(streamed, fc.integer({ min: 1, max: 50 })).map(([text, size]) => {
    const bytes = Buffer.from(text);
    const step = Math.max(size, Math.ceil(bytes.length / 5_000));
    return {
      bytes,
      parts: Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) => bytes.subarray(i * step, (i + 1) * step)),
    };
  });

  fuzz("lines of a stream", {
    inputs: pieces,
    async read({ bytes, parts }) {
      const lines: string[] = [];
      for await (const line of readLines(Readable.from(parts))) lines.push(line);
      expect(lines).toEqual(
        bytes
          .toString("utf8")
          .split("\n")
          .filter((line) => line !== ""),
      );
    },
  });
});

describe("settings:", () => {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());
  const file = changedJson(
    fc.constant({ app_port: 5050, payment_version: "v3", record_requests: false, record_limit: 100 }),
    [
      ...[
        "app_port",
        "provider_port",
        "data_dir",
        "payment_mch_id",
        "shutdown_delay_seconds",
        "query_normalization",
        "model_port",
      ],
      ...["collections_dir", "allowed_hosts", "payment_base_url", "session_ttl_seconds"],
    ],
  ).map((value) => JSON.stringify(value) ?? "");

  fuzz("files of settings", {
    inputs: fc.oneof(file, changed(file)),
    read(text) {
      writeFileSync(join(folder.path, configFileName), text);
      resolveSettings({ data_dir: folder.path }, {}, folder.path);
    },
    refuses: refusesBy("SettingsError"),
  });

  const flag = changed(
    fc.constantFrom("--app-port", "--app-port=1", "--no-record-requests", "--data_dir", "--json-logs", "x"),
    {
      words: ["-", "=", "no-", "_", "1"],
    },
  );
  fuzz("flags", {
    inputs: fc.array(fc.oneof(flag, anyText), { maxLength: 6 }),
    read: (argv) => resolveSettings({ ...parseSettings(argv), data_dir: folder.path }, {}, folder.path),
    refuses: refusesBy("SettingsError"),
  });
});
