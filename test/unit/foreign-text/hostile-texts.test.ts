/** Texts that somebody made up to take a reader's time: each reader's time is in proportion to the length all the same. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { boundLines, withBrokenRuns } from "../../../renderer/ui/code/bounded-text.ts";
import { formatBody } from "../../../renderer/ui/code/format-body.ts";
import { readMultipart } from "../../../renderer/features/requests/message/multipart.ts";
import { textIn } from "../../../renderer/features/requests/message/stream-pieces.ts";
import { readJsonSource } from "../../../server/app/collections/json-source.ts";
import { notificationVersion } from "../../../server/app/payments/provider/notification-version.ts";
import { readJsonOnce } from "../../../server/app/payments/provider/read-json-once.ts";
import { recordExchange } from "../../../server/app/requests/record-exchange.ts";
import { secretNamesOf } from "../../../server/app/requests/secrets/secret-names.ts";
import { textFormOf, replaceSecrets } from "../../../server/app/requests/secrets/secret-text.ts";
import { createSecretVault } from "../../../server/app/requests/secrets/secret-vault.ts";
import { sourceOfError } from "../../../server/app/requests/source-of-error.ts";
import { parameterIn } from "../../../server/contract/header-parameters.ts";
import { hideCredentials } from "../../../server/contract/process/hide-credentials.ts";
import { OutOfTimeError, withinDeadline } from "../../../server/foreign/within-deadline.ts";
import { plainAddress } from "../../../server/http/connection/peer/addresses.ts";
import type { Exchange } from "../../../server/http/recording/request-recorder.ts";
import { parseForm } from "../../../server/http/formats/parse-form.ts";
import { isPathPattern } from "../../../server/http/path-pattern.ts";
import { contentType } from "../../../server/http/formats/read-body.ts";
import { readXml } from "../../../server/http/formats/read-xml.ts";
import { answerFormat, createAnswerParser } from "../../../server/model/chat/answer/answer-format.ts";
import { callsOf } from "../../support/model/family-formats.ts";
import { estimateSize } from "../../../server/model/models/library/estimate-size.ts";
import { nameOfFile, parseModelName } from "../../../server/model/models/library/model-name.ts";
import { isGoTemplate } from "../../../server/foreign/go-template/is-go-template.ts";
import { parseOllamaTemplate } from "../../../server/foreign/go-template/ollama-template.ts";
import { parseModelfile } from "../../../server/model/models/create/parse-modelfile.ts";
import { parseGoDuration } from "../../../server/model/options/go-duration.ts";
import { authorizationScheme, readAuthorization } from "../../../server/payment-wire/signature-v3.ts";
import { readXmlV2 } from "../../../server/payment-wire/xml-v2.ts";
import { weatherTool } from "../../support/model/family-templates.ts";

const length = 256 * 1024;
/** A reader that takes a time in proportion needs a hundredth of it; one that reads all again from every place, minutes. */
const deadlineMs = 15_000;

const pieces = [
  ..."a0<>\"'\\ =&%-[]{}();,:/*_`!#|.@~?\n\r\t\u00e9",
  ...[
    "\r\n",
    "<a ",
    "<a>",
    "</a>",
    "<a b='",
    "<![CDATA[",
    "<!--",
    "<?a ",
    "&amp;",
    "&#",
    "<token>",
    "<token></token>",
    '<entry key="&#97;">',
    "<entry>",
    "<entry key ",
    "<?a '?>",
  ],
  ...[
    '{"a":',
    '"token":',
    '"token":"x",',
    '\\"',
    "[1,",
    "token=1&",
    "a%FF=1&",
    "a=",
    "a/",
    "1h",
    "::",
    "{{ ",
    "{{-",
    "  x",
  ],
  ...[
    "--b\r\n",
    "\r\n--b",
    "\r\n--",
    '\r\n--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nx',
    ';name="',
    "; name=",
  ],
  ...["; boundary=", ';boundary="', "; ", 'a="', 'a="b",', "FROM a\n", "PARAMETER stop x\n", "MESSAGE user x\n", '"""'],
  ...["</tool_call>", "<arg_key>", "<arg_key>a</arg_key>", "<arg_key>a</arg_key><arg_value>", "<parameter=a>"],
  ...[
    "<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>",
    '<|"|>',
    "<tool_call|>",
    "[ARGS]",
    "[CALL_ID]",
    "[TOOL_CALLS]",
    "<think>",
  ],
  ...["q: ", " or ", " is not valid.", " (and 1 more)"],
  ...["\n    at (/", "    at a (/b (/c", ":1:1"],
];

const schema = z.object({ a: z.string().optional() });
const names = secretNamesOf(() => []);
const hideIn = (type: string) => (text: string) =>
  replaceSecrets(text, textFormOf(type, text), names("app", "/").field, (name) => `{{${name}}}`);

function recordRequest(text: string): unknown {
  const exchange: Exchange = {
    service: "app",
    time: 0,
    ms: 1,
    method: "POST",
    target: `/api/sessions?${text}`,
    client: "127.0.0.1",
    requestHeaders: [
      "content-type",
      `multipart/form-data;${text}`,
      "authorization",
      text,
      "cookie",
      text,
      "link",
      text,
    ],
    requestBody: { chunks: [text], kept: text.length, size: text.length },
    status: 200,
    responseHeaders: {},
    responseBody: { chunks: [], kept: 0, size: 0 },
    complete: true,
    notes: {},
  };
  return recordExchange(
    exchange,
    1,
    {},
    { secretNames: names, vault: createSecretVault(), consoleToken: "the run's token" },
  );
}

/** An answer that comes in some pieces, of a model of this family whose template has this in it. */
const answerOf =
  (template: string, opening = "", family = "") =>
  (text: string) => {
    const parser = createAnswerParser(answerFormat(template, "", callsOf(family)), {
      prompt: "",
      tools: [weatherTool],
    });
    const step = Math.ceil(length / 4);
    parser.push(opening);
    for (let at = 0; at < text.length; at += step) parser.push(text.slice(at, at + step));
    return [parser.end("length")];
  };

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "secrets in JSON": hideIn("application/json"),
  "secrets in XML": hideIn("application/xml"),
  "secrets in a form": hideIn("application/x-www-form-urlencoded"),
  "secrets in parts": hideIn("multipart/form-data; boundary=b"),
  "secrets in parts without a boundary": hideIn("multipart/form-data"),
  "secrets of any form": hideIn(""),
  "a recorded request": recordRequest,
  "the boundary of a type": (text) => parameterIn(text, "boundary"),
  "a content type": contentType,
  "a form": (text) => parseForm(text, "body"),
  XML: (text) => readXml(text, schema),
  "XML of version 2": readXmlV2,
  "the version of a notification": (text) => notificationVersion(Buffer.from(text)),
  "JSON with each name once": readJsonOnce,
  "a file of a collection": readJsonSource,
  "an authorization of version 3": (text) => readAuthorization(`${authorizationScheme} ${text}`),
  "an address": plainAddress,
  "the credentials in a text": hideCredentials,
  "a pattern of paths": (text) => isPathPattern(`/${text}`),
  "a stack": (text) => sourceOfError(`Error: ${text}`),
  "a Modelfile": parseModelfile,
  "a Modelfile's text": (text) => parseModelfile(`FROM a\nTEMPLATE """${text}`),
  "a Modelfile's message": (text) => parseModelfile(`FROM a\nMESSAGE user ${text}`),
  "a model's name": parseModelName,
  "a model file's name": nameOfFile,
  "a size in a name": estimateSize,
  "a duration": parseGoDuration,
  "a template's kind": isGoTemplate,
  "a Go template": parseOllamaTemplate,
  "an action of a Go template": (text) => parseOllamaTemplate(`{{ ${text}`),
  "a template's markup": (text) => answerFormat(text, text, undefined),
  "an answer": answerOf("<think></think>", "<think>"),
  "a call of Hermes": answerOf("", "<tool_call>", "hermes"),
  "a call of Qwen": answerOf("", "<tool_call><function=get_weather>", "qwen-coder"),
  "a call of GLM": answerOf("", "<tool_call>get_weather\n", "glm"),
  "a call of Gemma": answerOf("", "<|tool_call>call:get_weather{", "gemma-4"),
  "a call of DeepSeek": answerOf("", '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"', "deepseek-v3.1"),
  "a call of Mistral": answerOf("", "[TOOL_CALLS]get_weather[ARGS]{", "mistral-named"),
  "a call of Llama": answerOf("", "[get_weather(", "pythonic"),
  "a call of MiniMax": answerOf("", "]<]minimax[>[<tool_call>", "minimax-m3"),
  "a call in open thoughts": answerOf("<think></think>", "<think>", "hermes"),
  "a body as JSON": (text) => formatBody(text, "application/json"),
  "a body as lines of JSON": (text) => formatBody(text, "application/x-ndjson"),
  "a body as XML": (text) => formatBody(text, "application/xml"),
  "a body as a form": (text) => formatBody(text, "application/x-www-form-urlencoded"),
  "a body's parts": (text) => readMultipart(new TextEncoder().encode(text), "multipart/form-data; boundary=b"),
  "a stream's words": textIn,
  "a text with long lines": boundLines,
  "a text with long runs": withBrokenRuns,
};

/** A text that is refused has been read as well. */
function read(reader: (text: string) => unknown, text: string): void {
  try {
    withinDeadline(deadlineMs, () => reader(text));
  } catch (error) {
    if (error instanceof OutOfTimeError || error instanceof RangeError) throw error;
  }
}

describe("a long meaningless text is read quickly by", () => {
  it.each(Object.entries(readers))(
    "%s",
    (_name, reader) => {
      for (const piece of pieces)
        expect(() => read(reader, piece.repeat(length / piece.length)), JSON.stringify(piece)).not.toThrow();
    },
    120_000,
  );
});

it("text nested as deep as it is long is still shown", () => {
  const brackets = "[".repeat(10_000) + "]".repeat(10_000);
  const tags = "<a>".repeat(100_000);
  expect(formatBody(brackets, "application/json").pretty?.length).toBeLessThan(100 * brackets.length);
  expect(formatBody(tags, "application/xml").pretty?.length).toBeLessThan(100 * tags.length);
});
