/** Reads a schema file into a collection, or throws a problem with its place. */
import { describable } from "../../http/messages/describe-issue.ts";
import { message } from "../../contract/messages/message.ts";
import { mapInTurns } from "../../foreign/map-in-turns.ts";
import { isObject } from "../../contract/is-object.ts";
import { ownTypesOf, propertiesOf, typesOf, visitSchemas, type SchemaObject } from "../../json-schema/json-schema.ts";
import { withId, type TextIdKind } from "../../contract/app/item-ids.ts";
import { maxPageSize, pascalCase } from "../../contract/app/resources.ts";
import { applicable, schemasOfItem, schemasOfMember } from "../../json-schema/applicable-schemas.ts";
import { schemaReferences } from "../../json-schema/schema-references.ts";
import type { CompiledSchema, CompileSchema } from "./schema/compile-schema.ts";
import { describeSchema } from "./schema/describe-schema.ts";
import { eitherOf, unreadable } from "../../json-schema/predicates.ts";
import { secretsOf, secretMembers } from "../../json-schema/schema-secrets.ts";
import { publicIdField } from "../../store/records/record-query.ts";
import { isPrivate } from "../../store/records/record-tables.ts";
import { problemReporter, refuseRounded, type ProblemReporter } from "./problem-reporter.ts";
import { readJsonSource } from "./json-source.ts";
import { isPathSegment, singularOf } from "../../contract/app/plural-names.ts";
import { readRelations } from "./schema/read-relations.ts";
import { SchemaError } from "./schema/schema-error.ts";
import { inputOf, outputOf, serverMembers, type UserCollection, type UserDefinition } from "./user-collection.ts";
import { ignoredFormats } from "./schema/ignored-formats.ts";
import { readIdKind, withIdCheck } from "./schema/read-id-kind.ts";
import { draftOf, upgradeSchema, withoutRootReference } from "./schema/upgrade-schema.ts";
import { xHearthSchema, type XHearth } from "./schema/x-hearth.ts";

type Properties = Readonly<Record<string, SchemaObject>>;

const scalars = ["string", "number", "integer", "boolean"];
/** Words of a list's query, which no filter may use as its name. */
const queryWords = ["q", "sort", "page", "page_size", "expand", "pretty", "token", "access_token"];
/** Names that are safe in a query, in `sort` between commas, and in a path of the store. */
const plainName = /^[\p{L}\p{N}_-]+$/u;

/** @throws FileProblem naming the place of the problem */
export async function readCollection(name: string, text: string, compile: CompileSchema): Promise<UserCollection> {
  const source = readJsonSource(text);
  const reporter = problemReporter(source);
  refuseRounded(source, reporter, isBound);
  const current = currentSchema(source.value, reporter);
  const written = objectSchema(withoutRootReference(current), reporter);
  const asked = readOptions(written, reporter);
  const { schema, idKind } = readIdKind(written, asked, reporter);
  const check = compiled(schema, idKind, compile, reporter);
  checkFakerNames(schema, reporter);
  const options = withSeedIds(asked, idKind);
  const singular = itemName(name, options, reporter);
  const properties = (describeSchema(schema, { answered: false })["properties"] ?? {}) as Properties;
  const secret = secretMembers(schema, Object.keys(properties));
  const named = { properties, secret, reporter };
  const relations = readRelations(schema, (field) => isOnly(properties[field], ["string"]), reporter);
  for (const { field, isText } of relations)
    requireField(["properties", field, "x-hearth", "ref"], field, isText ? ["string"] : ["integer"], named);
  if (idKind !== undefined) requireField(["properties", "id"], "id", ["string"], named);
  checkFields(options, named);
  await checkSeeds(options, check, reporter);
  return {
    definition: {
      ...definitionOf(name, singular, schema, options, properties, secret),
      ...(idKind !== undefined && { idKind }),
      input: inputOf(schema, check, idKind),
      output: outputOf(schema, relations),
      relations,
    },
    options,
    schema,
    check,
    placeOf: (path) => source.placeOf(path),
    ignoredFormats: ignoredFormats(current, idKind, (path) => source.placeOf(path)),
  };
}

const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
/** Bounds such as 2^64 are compared only. Values are answered. */
const isBound = (path: readonly string[]) => bounds.includes(path.at(-1) ?? "") && path[0] !== "x-hearth";

/** The schema by the rules of the current draft. */
function currentSchema(value: unknown, reporter: ProblemReporter): SchemaObject {
  if (!isObject(value)) throw reporter.at([], message("schema.object"));
  if (draftOf(value) === undefined) throw reporter.at(["$schema"], message("schema.draft"));
  return upgradeSchema(value);
}

function objectSchema(value: SchemaObject, reporter: ProblemReporter): SchemaObject {
  const types = ownTypesOf(value);
  if (types.length > 0 && !types.includes("object")) throw reporter.at(["type"], message("schema.type"));
  const taken = Object.keys(propertiesOf(value)).find((field) => field !== "id" && serverMembers.includes(field));
  if (taken !== undefined) throw reporter.at(["properties", taken], message("schema.ownField"));
  return { ...value, type: "object" };
}

function compiled(
  schema: SchemaObject,
  idKind: TextIdKind | undefined,
  compile: CompileSchema,
  reporter: ProblemReporter,
): CompiledSchema {
  try {
    const check = compile(schema);
    return idKind === undefined ? check : withIdCheck(idKind, check);
  } catch (error) {
    throw error instanceof SchemaError ? reporter.at(error.path, error.text) : error;
  }
}

/** Faker's functions are checked when it is loaded, which is when items are generated. */
function checkFakerNames(schema: SchemaObject, reporter: ProblemReporter): void {
  visitSchemas(schema, ({ "x-faker": name }, path) => {
    if (name !== undefined && !(typeof name === "string" && /^[a-z]\w*[.][a-z]\w*$/i.test(name)))
      throw reporter.at([...path, "x-faker"], message("schema.faker"));
  });
}

function readOptions(schema: SchemaObject, reporter: ProblemReporter): XHearth {
  const parsed = xHearthSchema.safeParse(schema["x-hearth"] ?? {}, describable);
  if (parsed.success) return parsed.data;
  throw reporter.ofIssues(parsed.error.issues, Object.keys(xHearthSchema.shape), ["x-hearth"]);
}

/** Each seed with an id, and the rules of ids in the options. */
function withSeedIds(options: XHearth, idKind: TextIdKind | undefined): XHearth {
  if (idKind === undefined) return options;
  const seed = options.seed.map((item) => withId(idKind, item));
  return { ...options, seed, unique: [...new Set([...options.unique, "id"])] };
}

function itemName(name: string, { singular }: XHearth, reporter: ProblemReporter): string {
  if (!isPathSegment(name)) throw reporter.at([], message("schema.fileName", { name }));
  const one = singular ?? singularOf(name);
  if (one === undefined) throw reporter.at([], message("schema.plural", { name }));
  return pascalCase(one);
}

/** Whether a field takes values of these types only, apart from null. */
function isOnly(schema: SchemaObject | undefined, types: readonly string[]): boolean {
  const own = typesOf(schema ?? {}).filter((type) => type !== "null");
  return own.length > 0 && own.every((type) => types.includes(type));
}

interface Named {
  readonly properties: Properties;
  readonly secret: readonly string[];
  readonly reporter: ProblemReporter;
}

/** @throws FileProblem at a path that names a field which is missing, has the wrong type or is secret */
function requireField(
  at: readonly PropertyKey[],
  field: string,
  kinds: readonly string[],
  { properties, secret, reporter }: Named,
): void {
  if (!Object.hasOwn(properties, field)) throw reporter.at(at, message("schema.noField", { field }));
  if (!isOnly(properties[field], kinds) || !plainName.test(field))
    throw reporter.at(at, message("schema.fieldType", { field, type: eitherOf(kinds) }));
  if (secret.includes(field)) throw reporter.at(at, message("schema.secretField", { field }));
}

/** @throws FileProblem for an option naming a field that is missing or has the wrong type */
function checkFields({ private: privateField, search, unique }: XHearth, named: Named): void {
  const scalar = ["string", "number", "integer"];
  if (privateField !== undefined) requireField(["x-hearth", "private"], privateField, ["boolean"], named);
  search?.forEach((field, index) => requireField(["x-hearth", "search", index], field, scalar, named));
  const alsoSecret = { ...named, secret: [] };
  unique.forEach((field, index) => requireField(["x-hearth", "unique", index], field, scalar, alsoSecret));
}

const mostDeepFields = 100;
const maxFilterDepth = 4;

/** Lists of scalars, and scalars inside of objects, by their paths with dots. Secrets are none. */
function deepFieldsOf(schema: SchemaObject, visible: readonly string[]): string[] {
  const references = schemaReferences(schema);
  const found: string[] = [];
  const open: [path: string[], schemas: readonly SchemaObject[]][] = [[[], applicable(references, [schema])]];
  for (const [path, schemas] of open)
    for (const name of open.length > 500 ? [] : new Set(schemas.flatMap((one) => Object.keys(propertiesOf(one))))) {
      if (!plainName.test(name) || (path.length === 0 && !visible.includes(name))) continue;
      const inner = applicable(
        references,
        schemas.flatMap((one) => schemasOfMember(one, name).named),
      );
      if (found.length >= mostDeepFields || inner.some(({ writeOnly }) => writeOnly === true)) continue;
      const types = inner.flatMap(ownTypesOf);
      const items = applicable(
        references,
        inner.flatMap((one) => schemasOfItem(one).others),
      ).flatMap(ownTypesOf);
      const isList = types.includes("array") && items.some((type) => scalars.includes(type));
      const isInside = path.length > 0 && types.some((type) => scalars.includes(type));
      if (isList || isInside) found.push([...path, name].join("."));
      if (types.includes("object") && path.length + 1 < maxFilterDepth) open.push([[...path, name], inner]);
    }
  return found;
}

async function checkSeeds(
  { seed, unique, private: privateField }: XHearth,
  check: CompiledSchema,
  reporter: ProblemReporter,
): Promise<void> {
  const problems = await mapInTurns(seed, (item) => check(item)[0]);
  const taken = new Map(unique.map((field) => [field, new Set<unknown>()]));
  seed.forEach((item, index) => {
    const problem = problems[index];
    if (problem) throw reporter.at(["x-hearth", "seed", index, ...problem.path], problem.message);
    if (isPrivate(privateField, item)) throw reporter.at(["x-hearth", "seed", index, String(privateField)], unreadable);
    for (const [field, values] of taken) {
      if (!Object.hasOwn(item, field)) continue;
      if (values.has(item[field])) throw reporter.at(["x-hearth", "seed", index, field], message("schema.seedTwice"));
      values.add(item[field]);
    }
  });
}

function definitionOf(
  name: string,
  singular: string,
  schema: SchemaObject,
  options: XHearth,
  properties: Properties,
  secret: readonly string[],
): Omit<UserDefinition, "input" | "output" | "relations"> {
  const isPlain = (field: string) => !secret.includes(field) && field !== "id" && plainName.test(field);
  const visible = Object.keys(properties).filter(isPlain);
  const ofTypes = (types: readonly string[]) => visible.filter((field) => isOnly(properties[field], types));
  const { description } = schema;
  return {
    name,
    singular,
    ...(typeof description === "string" && { about: description }),
    access: options.access,
    isExact: true,
    pageLimit: options.pageLimit ?? maxPageSize,
    deepFields: deepFieldsOf(schema, visible).filter((field) => !queryWords.includes(field)),
    filterFields: ofTypes(scalars).filter((field) => !queryWords.includes(field)),
    searchFields: (options.search ?? ofTypes(["string"])).map((field) => (field === "id" ? publicIdField : field)),
    secretFields: secret,
    serverFields: [],
    isReadable: !options.disabled.includes("GET"),
    uniqueFields: options.unique.filter((field) => field !== "id"),
    ...(options.private !== undefined && { privateField: options.private }),
    ownerOnly: options.access === "login" && options.owner !== "anyone",
    secrets: secretsOf(schema),
  };
}
