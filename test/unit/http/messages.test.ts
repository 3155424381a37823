import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { root } from "../../../build/root.ts";
import type { EndpointSpec } from "../../../server/contract/endpoint.ts";
import { createSchemaCompiler } from "../../../server/app/collections/schema/compile-schema.ts";
import { chinese } from "../../../server/contract/messages/chinese.ts";
import { english } from "../../../server/contract/messages/english.ts";
import { format } from "../../../server/contract/messages/format.ts";
import { inEnglish } from "../../../server/contract/messages/in-english.ts";
import { message, type Code, type Text } from "../../../server/contract/messages/message.ts";
import { HttpError, refuse } from "../../../server/http/http-error.ts";
import { validate } from "../../../server/http/messages/validate.ts";
import { mustBeType } from "../../../server/json-schema/predicates.ts";

const isChinese = (text: string | undefined) => text !== undefined && /\p{Script=Han}/u.test(text);
const toChinese = (text: Text) => format(text, chinese);

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
const filesWith = (pattern: RegExp, ...folders: string[]) =>
  globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: root },
  )
    .filter((file) => pattern.test(readFileSync(join(root, file), "utf8")))
    .sort();

describe("the catalogue of messages", () => {
  const codes = Object.keys(english) as Code[];

  it("says every message in both languages, with each of its values", () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.integer({ min: 1_000 }), (code, seed) => {
        const names = [...new Set(namesIn(english[code]))];
        const values = Object.fromEntries(names.map((name, index) => [name, seed + index]));
        for (const texts of [english, chinese]) {
          const text = format({ code, values }, texts);
          expect([code, names.filter((name) => !text.includes(String(values[name])))]).toEqual([code, []]);
          expect([code, namesIn(text)]).toEqual([code, []]);
        }
      }),
      { numRuns: 5 * codes.length },
    );
  });

  it("has each text in Chinese, with the values of the English one and no other", () => {
    for (const code of codes) {
      expect([code, [...new Set(namesIn(chinese[code]))].sort()]).toEqual([
        code,
        [...new Set(namesIn(english[code]))].sort(),
      ]);
    }
  });

  it("says nested messages and lists in the same language", () => {
    const type = message("type.or", { one: message("type.text"), other: message("type.number") });
    const problem = message("is.type", { type });
    expect(format(message("data.notAdded", { field: "a", problem }), english)).toBe(
      "a: must be a text or a number; nothing was added.",
    );
    expect(toChinese(message("data.notAdded", { field: "a", problem }))).toBe("a：必须是文本或数字；未添加任何内容。");
    expect(toChinese(message("is.oneOf", { values: [1, "b"] }))).toBe("必须是以下之一：1, b");
  });

  it("ends a message within another one without a full stop before a mark", () => {
    const description = message("reply.http", { status: 502 });
    const unknown = message("unknown.paid", { description, advice: message("advice.again") });
    expect(format(unknown, english)).toBe(
      "It is unknown whether the order is paid: The payment platform returned HTTP 502. Try again in a moment.",
    );
    expect(toChinese(unknown)).toBe("无法确定订单是否已支付：支付平台返回 HTTP 502。请稍后再试。");
  });

  it("has the types refuse a missing translation, an unknown code, and missing or misspelt values", () => {
    const { "body.tooLong": text, ...others } = chinese;
    // @ts-expect-error -- a code has no translation
    others satisfies Record<Code, string>;
    // @ts-expect-error -- the value is missing
    message("body.tooLong");
    // @ts-expect-error -- the value has another name
    message("body.tooLong", { limits: 3 });
    // @ts-expect-error -- the text names no value
    message("body.notUtf8", { limit: 3 });
    // @ts-expect-error -- there is no such code
    message("body.tooShort");
    // @ts-expect-error -- it is no refusal
    refuse("is.missing");
    expect(text).toContain("{limit}");
  });

  it("has every sentence that the application server refuses a request with, or a condition keeps", () => {
    expect(
      filesWith(
        /import \{[^}]*\b(?:badRequest|notFound|unavailable)\b[^}]*\} from "[^"]*http-error/,
        "server/app",
        "server/http",
      ),
    ).toEqual([]);
    expect(
      filesWith(/\bmessage: ["'`]|\.regex\([^\n]*, ["'`]/, "server/contract/app", "server/contract/console"),
    ).toEqual([]);
  });
});

/** The validators' own words, which no user may read. */
const validatorWords =
  /Invalid|expected|received(?!_at)|Too (?:small|big)|Unrecognized|must NOT|must match (?!the pattern)/;

function refusalOf(run: () => unknown): HttpError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}

function requireOwnWords(refusal: HttpError): void {
  for (const text of [refusal.message, ...(refusal.details ?? []).map(({ problem }) => inEnglish(problem))]) {
    expect(text).not.toMatch(validatorWords);
  }
  for (const text of [refusal.text, ...(refusal.details ?? []).map(({ problem }) => problem)])
    expect([text, isChinese(toChinese(text))]).toEqual([text, true]);
}

describe("what a schema refuses", () => {
  it.each<[z.ZodType, unknown, string, string]>([
    [z.object({ title: z.string() }), {}, "title is missing.", "title 缺失。"],
    [
      z.object({ title: z.string() }),
      { title: 1 },
      "title must be a text, not a number.",
      "title 必须是文本，而不是数字。",
    ],
    [z.object({ body: z.string().min(1) }), { body: "" }, "body must not be empty.", "body 不能为空。"],
    [
      z.object({ a: z.object({ b: z.string().max(2) }) }),
      { a: { b: "xyz" } },
      "a.b must have at most 2 characters.",
      "a.b 最多只能有 2 个字符。",
    ],
    [z.array(z.int()), {}, "The body must be a list, not an object.", "请求正文 必须是列表，而不是对象。"],
    [
      z.object({ kind: z.enum(["a", "b"]) }),
      { kind: "c" },
      'kind must be one of "a", "b".',
      'kind 必须是以下之一："a", "b"。',
    ],
    [z.strictObject({}), { colour: 1 }, "colour is not a known field.", "colour 不是已知字段。"],
    [z.strictObject({}), { '{"password":"x"}': "" }, "*** is not a known field.", "*** 不是已知字段。"],
    [
      z.object({ n: z.union([z.string(), z.number()]) }),
      { n: true },
      "n must be a text or a number, not true or false.",
      "n 必须是文本或数字，而不是true 或 false。",
    ],
  ])("%#: is said in both languages", (schema, value, expected, translation) => {
    const refusal = refusalOf(() => validate(schema, value, "body"));
    expect(refusal).toMatchObject({ status: 400, code: "invalid_request", message: expected });
    expect(refusal && toChinese(refusal.text)).toBe(translation);
  });

  it("is Chinese in all its parts, in the deepest of our messages", () => {
    const types = ["string", "number", "integer", "boolean", "array", "object", "null"];
    const secret = message("data.secret", { problem: mustBeType(types, "undefined") });
    const problem = message("data.more", { problem: secret, count: 3 });
    expect(toChinese(message("data.notImported", { field: "things/1.code", problem }))).toBe(
      "things/1.code：必须是文本或数字或整数或true 或 false或列表或对象或null，而不是其他类型的值" +
        "（机密字段：用 ?secrets=include 导出时才包含）（另有 3 处）；未导入任何内容。",
    );
  });

  it("names the place of a field that is not in the body", () => {
    const refusal = refusalOf(() => validate(z.object({ page: z.coerce.number().max(9) }), { page: "10" }, "query"));
    expect(refusal?.message).toBe("page in the query must be at most 9.");
    expect(refusal && toChinese(refusal.text)).toBe("查询参数 page 不能大于 9。");
  });

  it("is said once of a number that is beyond two bounds which are the same", () => {
    const schema = z.object({ id: z.int().max(Number.MAX_SAFE_INTEGER) });
    const refusal = refusalOf(() => validate(schema, { id: 1e20 }, "path"));
    expect(refusal?.details?.map(({ problem }) => inEnglish(problem))).toEqual(["must be at most 9007199254740991"]);
  });

  it("is said in our own words, whatever is sent to whichever operation", async () => {
    const schemas = await contractSchemas();
    expect(schemas.length).toBeGreaterThan(60);
    const values = fc.anything({ maxDepth: 2, withBigInt: false });
    fc.assert(
      fc.property(fc.constantFrom(...schemas), values, fc.dictionary(fc.string(), values), (schema, value, members) => {
        const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
        const known = Object.fromEntries(names.map((name, index) => [name, Object.values(members)[index] ?? value]));
        for (const sent of [value, members, known]) {
          const refusal = refusalOf(() => validate(schema, sent, "body"));
          if (refusal) requireOwnWords(refusal);
        }
      }),
      { numRuns: 400, seed: 1677535776 },
    );
  });

  it("is said in our own words of a JSON Schema, too, for every keyword", () => {
    const compile = createSchemaCompiler(1_000);
    const cases: [object, unknown][] = [
      [{ type: "string" }, 1],
      [{ type: ["string", "null"] }, 1],
      [{ enum: [1, "a"] }, 2],
      [{ const: 3 }, 2],
      [{ minLength: 1, maxLength: 2 }, ""],
      [{ maxLength: 2 }, "xyz"],
      [{ minimum: 3 }, 2],
      [{ exclusiveMaximum: 2 }, 2],
      [{ multipleOf: 2 }, 3],
      [{ pattern: "^a" }, "b"],
      [{ format: "email" }, "b"],
      [{ format: "ipv4" }, "b"],
      [{ minItems: 2 }, []],
      [{ uniqueItems: true }, [1, 1]],
      [{ contains: { const: 1 } }, [2]],
      [{ required: ["a"] }, {}],
      [{ additionalProperties: false }, { a: 1 }],
      [{ propertyNames: { maxLength: 1 } }, { ab: 1 }],
      [{ dependentRequired: { a: ["b"] } }, { a: 1 }],
      [{ maxProperties: 0 }, { a: 1 }],
      [{ properties: { a: false } }, { a: 1 }],
      [{ anyOf: [{ type: "string" }, { type: "null" }] }, 1],
      [{ not: {} }, 1],
      [{ if: true, then: false }, 1],
    ];
    for (const [schema, value] of cases) {
      const problems = compile(schema as Parameters<typeof compile>[0])(value);
      expect([schema, problems.length > 0]).toEqual([schema, true]);
      for (const { message: problem } of problems) {
        expect(inEnglish(problem)).not.toMatch(validatorWords);
        expect([schema, problem, isChinese(toChinese(problem))]).toEqual([schema, problem, true]);
      }
    }
  });
});

/** The schemas of requests of all operations of the application server and the console. */
async function contractSchemas(): Promise<z.ZodType[]> {
  const files = globSync("server/contract/{app,console}/**/*.ts", { cwd: root });
  const modules = await Promise.all(files.map((file) => import(join(root, file)) as Promise<Record<string, unknown>>));
  const specs = modules
    .flatMap((exports) => Object.values(exports))
    .filter((one): one is EndpointSpec => typeof one === "object" && one !== null && "method" in one && "path" in one);
  return specs.flatMap(({ params, query, body }) => [params, query, body].filter((one) => one !== undefined));
}
