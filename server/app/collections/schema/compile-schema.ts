/**
 * Compiles JSON Schema (draft 2020-12) to a validator. Imported only when there is a schema file, because Ajv is not
 * small.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isObject } from "../../../contract/is-object.ts";
import { visitSchemas, type SchemaObject } from "../../../json-schema/json-schema.ts";
import { OutOfTimeError, withinDeadline } from "../../../foreign/within-deadline.ts";
import { hasDuplicates, mustBeMultipleOf } from "../../../http/messages/predicates.ts";
import { describeKeyword } from "./describe-keyword.ts";
import { SchemaError } from "./schema-error.ts";

/** A problem with a value, and the member that has it. */
export interface Problem {
  readonly path: readonly string[];
  readonly message: string;
}

/** Checks a value and inserts the schema's defaults into it. The list is empty when it is valid. */
export type Check = (value: unknown) => Problem[];

/** Drafts whose schemas mean the same here, apart from what draft 2020-12 refuses anyway. */
const knownDrafts = /^https?:\/\/json-schema\.org\/(?:draft\/(?:2019-09|2020-12)|draft-0[67])\/schema#?$/;
/** OpenAPI's keywords in schemas. */
const openApiWords = ["example", "externalDocs", "xml"];
/** Keywords of other programs, which are ignored. */
const extension = /^x-[\w$:-]*$/;
/** Standard formats that are not checked. */
const uncheckedFormats = ["idn-email", "idn-hostname", "iri", "iri-reference"];
/** Limits the size of a schema, because the time of compiling grows with it. */
const mostSchemas = 5_000;
const unsupported = ["$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary"];

export type CompileSchema = (schema: SchemaObject) => Check;

/** Remembers the pattern that is being tested, so that a timeout can name it. */
function createPatternEngine() {
  let tried = "";
  const compile = (source: string, flags: string) => {
    const expression = new RegExp(source, flags);
    return {
      test(text: string) {
        tried = source;
        return expression.test(text);
      },
      toString: () => String(expression),
    };
  };
  return {
    regExp: Object.assign(compile, { code: "regExp" }),
    tried: () => tried,
    forget() {
      tried = "";
    },
  };
}

/**
 * Makes a compiler that keeps no schema. It throws SchemaError naming the invalid keyword. A value whose check exceeds
 * the deadline is invalid, because patterns may take for ever.
 */
export function createSchemaCompiler(deadlineMs: number): CompileSchema {
  const patterns = createPatternEngine();
  const ajv = new Ajv2020({
    code: { regExp: patterns.regExp },
    allErrors: true,
    useDefaults: true,
    strictSchema: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    logger: false,
    // Without a number, Ajv searches each part for references, in time that doubles with each nested list.
    inlineRefs: 100,
  });
  addFormats.default(ajv);
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    validate: isMultiple,
    error: { message: ({ schema }) => mustBeMultipleOf(Number(schema)) },
  });
  // Ajv's own keyword compares every pair of items, unless the schema allows only text or numbers.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (wanted: boolean, items: readonly unknown[]) =>
      !wanted || new Set(items.map(canonical)).size === items.length,
    error: { message: hasDuplicates },
  });
  for (const format of uncheckedFormats) ajv.addFormat(format, true);
  const known = new Set(openApiWords);
  for (const word of openApiWords) ajv.addKeyword(word);
  const allowExtension = (keyword: string) => {
    if (!extension.test(keyword) || known.has(keyword)) return;
    known.add(keyword);
    ajv.addKeyword(keyword);
  };

  const inTime =
    (check: Check): Check =>
    (value) => {
      patterns.forget();
      try {
        return withinDeadline(deadlineMs, () => check(value));
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        const at = patterns.tried() === "" ? "" : ` (at the pattern ${JSON.stringify(patterns.tried())})`;
        const advice = "make the schema simpler, or raise the setting foreign_deadline_ms";
        return [{ path: [], message: `cannot be checked by its schema${at}: ${error.message}: ${advice}` }];
      }
    };

  return (schema) => {
    const { $schema, $id, ...rest } = schema;
    void $id;
    if ($schema !== undefined && !(typeof $schema === "string" && knownDrafts.test($schema)))
      throw new SchemaError("is no draft that is read here: use https://json-schema.org/draft/2020-12/schema", [
        "$schema",
      ]);
    let count = 0;
    visitSchemas(rest, (one, path) => {
      if (++count > mostSchemas)
        throw new SchemaError(`has more than ${String(mostSchemas)} schemas in it, which is too large`, []);
      refuse(one, path);
      Object.keys(one).forEach(allowExtension);
    });
    if (ajv.validateSchema(rest) !== true) throw schemaError(ajv.errors ?? []);
    try {
      const validate = ajv.compile(rest);
      return inTime((value) => errorsOf(validate, value).map(problemOf));
    } catch (error) {
      if (error instanceof RangeError) throw new SchemaError("has too many alternatives, or too deep ones", []);
      throw compilerFault(rest, error as Error);
    } finally {
      ajv.removeSchema(rest);
    }
  };
}

const unchecked = (message: string): ErrorObject => ({
  keyword: "",
  instancePath: "",
  schemaPath: "",
  params: {},
  message,
});

/**
 * Refuses schemas on which Ajv fails: it compares objects (const, enum) by their own toString and valueOf members, and
 * follows a schema that refers to itself for the same value until the stack overflows.
 */
function errorsOf(validate: ValidateFunction, value: unknown): readonly ErrorObject[] {
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (error) {
    if (error instanceof TypeError) return [unchecked("cannot be compared: rename the members toString and valueOf")];
    if (error instanceof RangeError) return [unchecked("cannot be checked: its schema refers to itself without end")];
    throw error;
  }
}

/** Equal texts for equal values, regardless of the order of members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, held: unknown) =>
    isObject(held) ? Object.fromEntries(Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1))) : held,
  );

/** Compares as decimals: 19.99 is a multiple of 0.01, though their binary fractions are not exact. */
function isMultiple(step: number, value: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * 4 * Number.EPSILON;
}

/** Schemas that the compiler refuses without a place, and those that would make it load other schemas. */
function refuse(schema: SchemaObject, path: readonly string[]): void {
  const problem = (keyword: string, message: string) => new SchemaError(message, [...path, keyword]);
  for (const keyword of unsupported)
    if (keyword in schema) throw problem(keyword, 'is not supported here: use "$ref": "#/$defs/…"');
  if (path.length > 0 && "$id" in schema) throw problem("$id", "may stand at the top of the file only");
  const { $ref, pattern, patternProperties, enum: values } = schema;
  if (typeof $ref === "string" && $ref !== "#" && !$ref.startsWith("#/"))
    throw problem("$ref", `"${$ref}" leads out of the file: only references that begin with "#/" are followed`);
  if (Array.isArray(values) && values.length === 0) throw problem("enum", "must have at least one value");
  const patterns = [
    ...(typeof pattern === "string" ? [[pattern, "pattern"]] : []),
    ...Object.keys(isObject(patternProperties) ? patternProperties : {}).map((one) => [one, "patternProperties"]),
  ] as [string, string][];
  for (const [one, keyword] of patterns) {
    try {
      new RegExp(one, "u");
    } catch (error) {
      throw problem(keyword, (error as Error).message);
    }
  }
}

const segments = (pointer: string) =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The deepest of all problems of a schema; the others follow from it. */
function schemaError(errors: readonly ErrorObject[]): SchemaError {
  const [deepest] = [...errors].sort((a, b) => segments(b.instancePath).length - segments(a.instancePath).length);
  const { path, message } = deepest ? problemOf(deepest) : { path: [], message: "is not a JSON Schema" };
  return new SchemaError(message, path);
}

/** An error of the compiler; it names the keyword, but not its place. */
function compilerFault(schema: SchemaObject, { message }: Error): SchemaError {
  const keyword = /unknown keyword: "([^"]+)"/.exec(message)?.[1];
  const format = /unknown format "([^"]+)"/.exec(message)?.[1];
  const reference = /can't resolve reference (\S+)/.exec(message)?.[1];
  const word = format ?? reference;
  let path: string[] = [];
  visitSchemas(schema, (one, at) => {
    const [found] =
      Object.entries(one).find(([name, held]) => name === keyword || (word !== undefined && held === word)) ?? [];
    if (path.length === 0 && found !== undefined) path = [...at, found];
  });
  if (keyword !== undefined) return new SchemaError("is no keyword of JSON Schema", path);
  if (format !== undefined) return new SchemaError(`"${format}" is no format that is known here`, path);
  return new SchemaError(reference === undefined ? message : `"${reference}" leads nowhere`, path);
}

function problemOf(error: ErrorObject): Problem {
  const path = segments(error.instancePath);
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params as Record<string, string | undefined>;
  const member = [missingProperty, additionalProperty, unevaluatedProperty].find((name) => name !== undefined);
  const isOfMember = member !== undefined && error.keyword !== "dependentRequired";
  return { path: isOfMember ? [...path, member] : path, message: describeKeyword(error) };
}
