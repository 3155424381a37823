import { globSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { root } from "../../../build/root.ts";
import type { EndpointSpec } from "../../../server/contract/endpoint.ts";
import { createSchemaCompiler } from "../../../server/app/collections/schema/compile-schema.ts";
import { HttpError } from "../../../server/http/http-error.ts";
import { validate } from "../../../server/http/messages/validate.ts";
import { createTranslate } from "../../../server/http/messages/translate.ts";
import { chinese } from "../../../server/http/messages/zh/chinese.ts";
import { mustBeType } from "../../../server/json-schema/predicates.ts";
import { schemaMessages, writtenSentences } from "../../support/app/written-sentences.ts";

const translate = createTranslate(chinese);
const isChinese = (text: string | undefined) => text !== undefined && /\p{Script=Han}/u.test(text);

/** What nobody but the payment platform or a programmer reads. */
const notForUsers = [
  /\/notification/, // replies to the platform, by its contract
  /^server\/http\/openapi\/(?!api-docs)/, // the descriptions
  /^server\/app\/open-app\.ts/, // the log
  /^server\/http\/conventions\/redirect\.ts/, // HTTP's own words
  /^server\/app\/create-app\.ts:[45]\d/, // the descriptions' servers
  /^server\/app\/collections\/user-collection\.ts/, // the descriptions
  /^server\/app\/collections\/route-file\.ts/, // the log
];

/** Sentences that are put together: their parts are looked for where they are written. */
const composed = new Set([
  "{}: log in again and repeat the call.",
  "{}.",
  '"{}" {}.',
  "{} {}. {}",
  "{}: {}.",
  "{}: {}",
  "{} ({})",
]);

/** The Latin words of our Chinese, such as names of settings. Any other one in a translation is English that was left. */
const latinWords = (text: string) => text.match(/\b[A-Za-z]{2,}\b/g) ?? [];
const chineseWords = new Set(Object.values(chinese).flatMap(latinWords));
const isWhole = (text: string) => isChinese(text) && latinWords(text).every((word) => chineseWords.has(word));

/** A sentence with example values. */
const filled = (template: string) => {
  let count = 0;
  return template.replace(/\b(in the|The) \{\}/, "$1 body").replaceAll("{}", () => `v${String(++count)}`);
};

describe("the messages of the application server", () => {
  it("have each a Chinese sentence with the same values, and no sentence has lost its English", () => {
    const written = writtenSentences(root, [
      "server/app",
      "server/http",
      "server/contract/provider/payment-errors",
    ]).filter(
      ({ at, template }) =>
        !notForUsers.some((rule) => rule.test(at)) && !composed.has(template) && /[a-z] [a-z]|\{\}/.test(template),
    );
    expect(written.length).toBeGreaterThan(200);
    const withoutChinese = written.filter(({ template }) => {
      const chineseText = translate(filled(template));
      const values = filled(template).match(/\bv\d\b/g) ?? [];
      return !chineseText || !isWhole(chineseText) || values.some((value) => !chineseText.includes(value));
    });
    expect(withoutChinese).toEqual([]);
  });

  it("of the conditions that the contract and schema files have to keep have each a Chinese sentence", () => {
    const folders = ["server/contract/app", "server/contract/console", "server/app/collections"];
    const written = schemaMessages(root, folders).filter(({ at }) => !notForUsers.some((rule) => rule.test(at)));
    expect(written.length).toBeGreaterThan(15);
    expect(written.filter(({ template }) => !isWhole(translate(filled(template)) ?? ""))).toEqual([]);
  });

  it("name every value in the Chinese sentence that the English one has", () => {
    for (const [english, translation] of Object.entries(chinese)) {
      const count = english.split("{}").length - 1;
      const named = [...translation.matchAll(/\{(\d)\}|\[(\d)\]/g)].map(([, one, other]) => Number(one ?? other));
      expect([english, named.every((index) => index < count)]).toEqual([english, true]);
    }
  });
});

/** The validators' own words, which no user may read. */
const validatorWords = /Invalid|expected|received|Too (?:small|big)|Unrecognized|must NOT|must match/;

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
  for (const text of [refusal.message, ...(refusal.details ?? []).map(({ problem }) => problem)]) {
    expect(text).not.toMatch(validatorWords);
    expect([text, isChinese(translate(text))]).toEqual([text, true]);
  }
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
  ])("%#: is said in both languages", (schema, value, english, translation) => {
    const refusal = refusalOf(() => validate(schema, value, "body"));
    expect(refusal).toMatchObject({ status: 400, code: "invalid_request", message: english });
    expect(translate(english)).toBe(translation);
  });

  it("is Chinese in all its parts, in the deepest of our sentences", () => {
    const types = ["string", "number", "integer", "boolean", "array", "object", "null"];
    const problem = `${mustBeType(types, "undefined")} (a secret field: export with ?secrets=include to have it in the document)`;
    expect(translate(`things/1.code: ${problem} (and 3 more); nothing was imported.`)).toBe(
      "things/1.code：必须是文本或数字或整数或true或false或列表或对象或null，而不是其他类型的值" +
        "（机密字段：用 ?secrets=include 导出才会包含在文档中）（另有 3 处）；未导入任何内容。",
    );
  });

  it.each([
    ['novels has no relation "zz": use author.', "novels 没有关系“zz”：请使用 author。"],
    ["must be 6 to 32 of 0-9 A-Z a-z _ - | *", "必须由 6 到 32 个 0-9 A-Z a-z _ - | * 组成"],
    ["must be 1 to 64 of 0-9 A-Z a-z _ - | * @", "必须由 1 到 64 个 0-9 A-Z a-z _ - | * @ 组成"],
    [
      "items.0.s: must fit the pattern ^[a-z]+$; nothing was added.",
      "items.0.s：必须匹配模式 ^[a-z]+$；未添加任何内容。",
    ],
    [
      "books/1.s: must fit the pattern ^a (and 3 more); nothing was imported.",
      "books/1.s：必须匹配模式 ^a（另有 3 处）；未导入任何内容。",
    ],
    [
      "properties.a.typ: is no keyword of JSON Schema (line 1, column 37)",
      "properties.a.typ：不是 JSON Schema 的关键字（第 1 行，第 37 列）",
    ],
    [
      'a cannot be checked by its schema (at the pattern "^(a+)+$"): it takes longer than 250 ms: make the schema simpler, or raise the setting foreign_deadline_ms.',
      'a 无法按其模式检查（匹配模式 "^(a+)+$" 时）：耗时超过 250 毫秒：请简化模式，或调高设置 foreign_deadline_ms。',
    ],
  ])("is Chinese to its end: %s", (english, translation) => {
    expect(translate(english)).toBe(translation);
  });

  it("names the place of a field that is not in the body", () => {
    const refusal = refusalOf(() => validate(z.object({ page: z.coerce.number().max(9) }), { page: "10" }, "query"));
    expect(refusal?.message).toBe("page in the query must be at most 9.");
    expect(translate(refusal?.message ?? "")).toBe("查询参数 page 不能大于 9。");
  });

  it("is said once of a number that is beyond two bounds which are the same", () => {
    const schema = z.object({ id: z.int().max(Number.MAX_SAFE_INTEGER) });
    const refusal = refusalOf(() => validate(schema, { id: 1e20 }, "path"));
    expect(refusal?.details).toEqual([{ field: "id", problem: "must be at most 9007199254740991" }]);
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
      for (const { message } of problems) {
        expect(message).not.toMatch(validatorWords);
        expect([schema, message, isChinese(translate(message))]).toEqual([schema, message, true]);
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
