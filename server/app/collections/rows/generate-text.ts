import { message } from "../../../contract/messages/message.ts";
import type { Faker } from "@faker-js/faker";
import type { SchemaObject } from "../../../json-schema/json-schema.ts";
import { SchemaError } from "../schema/schema-error.ts";
import { textOfPattern } from "./text-of-pattern.ts";

/** Generated dates lie in this range, so that the same seed gives the same ones on any day. */
const earliest = "2025-01-01T00:00:00.000Z";
const latest = "2026-12-31T00:00:00.000Z";

/** Generators by the formats of JSON Schema and OpenAPI. */
const formats: Readonly<Record<string, (faker: Faker) => string>> = {
  "date-time": (faker) => instant(faker),
  "iso-date-time": (faker) => instant(faker),
  date: (faker) => instant(faker).slice(0, 10),
  time: (faker) => instant(faker).slice(11),
  "iso-time": (faker) => instant(faker).slice(11),
  duration: (faker) => `P${String(faker.number.int({ min: 1, max: 30 }))}D`,
  email: (faker) => faker.internet.email().toLowerCase(),
  "idn-email": (faker) => faker.internet.email().toLowerCase(),
  hostname: (faker) => faker.internet.domainName(),
  "idn-hostname": (faker) => faker.internet.domainName(),
  ipv4: (faker) => faker.internet.ipv4(),
  ipv6: (faker) => faker.internet.ipv6(),
  uri: (faker) => faker.internet.url(),
  url: (faker) => faker.internet.url(),
  iri: (faker) => faker.internet.url(),
  "uri-reference": (faker) => `/${faker.lorem.slug()}`,
  "iri-reference": (faker) => `/${faker.lorem.slug()}`,
  "uri-template": (faker) => `/${faker.lorem.slug()}/{id}`,
  uuid: (faker) => faker.string.uuid(),
  regex: (faker) => `^${faker.lorem.word()}$`,
  "json-pointer": (faker) => `/${faker.lorem.word()}/0`,
  "json-pointer-uri-fragment": (faker) => `#/${faker.lorem.word()}/0`,
  "relative-json-pointer": (faker) => `1/${faker.lorem.word()}`,
  byte: (faker) => Buffer.from(faker.lorem.words()).toString("base64"),
  password: (faker) => faker.internet.password(),
};

/** In characters. */
const longestText = 100_000;

const instant = (faker: Faker) => faker.date.between({ from: earliest, to: latest }).toISOString();

/** Generates text by format, pattern or length; the caller checks it. */
export function generateTextValue(schema: SchemaObject, faker: Faker): string {
  const {
    format,
    pattern,
    minLength = 0,
    maxLength = Number.MAX_SAFE_INTEGER,
  } = schema as {
    format?: string;
    pattern?: string;
    minLength?: number;
    maxLength?: number;
  };
  if (pattern !== undefined) {
    const text = textOfPattern(pattern, (min, max) => faker.number.int({ min, max }));
    if (text !== undefined) return fitted(text, minLength, maxLength, faker);
  }
  const byFormat = format === undefined ? undefined : formats[format];
  return byFormat ? byFormat(faker) : fitted(faker.lorem.words({ min: 2, max: 5 }), minLength, maxLength, faker);
}

/** Cuts or extends the text to its limits. Lengths count code points. @throws SchemaError for a long one */
export function fitted(text: string, min: number, max: number, faker: Faker): string {
  if (min > longestText)
    throw new SchemaError(message("made.text", { min, longest: longestText }), ["x-hearth", "generate"]);
  const characters = [...text];
  while (characters.length < min) characters.push(...`${characters.length === 0 ? "" : " "}${faker.lorem.word()}`);
  const cut = characters.slice(0, max).join("");
  return cut.trimEnd().length >= min ? cut.trimEnd() : cut;
}
