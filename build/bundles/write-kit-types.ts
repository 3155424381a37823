/**
 * Writes the types of the package into dist/kit: declarations of the modules of server/kit, and the contract's shapes from
 * their schemas, with each description as a comment, because those who use the package have no zod.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";
import { z } from "zod";
import { shapes } from "../../server/kit/shapes.ts";
import { root } from "../root.ts";

const sources = join(root, "server/kit");
const output = join(root, "dist/kit");
const shapesFile = "shapes.ts";

/** The part of JSON Schema that zod writes for the shapes. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

const literal = (value: unknown) => JSON.stringify(value);

function comment({ description, default: standard }: Schema): string {
  const hasOwn = standard === undefined || description?.includes("Default:") === true;
  const text = [description, hasOwn ? undefined : `Default: ${literal(standard)}.`].filter(
    (part) => part !== undefined,
  );
  return text.length === 0 ? "" : `/** ${text.join(" ").replaceAll("*/", "*\\/")} */\n`;
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${comment(member)}readonly ${literal(name)}${required.includes(name) ? "" : "?"}: ${typeOf(member)};`,
  );
  if (typeof additionalProperties !== "object") return `{\n${members.join("\n")}\n}`;
  return members.length > 0
    ? `{\n${members.join("\n")}\n}`
    : `{ readonly [name: string]: ${typeOf(additionalProperties)} }`;
}

/** A TypeScript type of the values that the schema allows. */
function typeOf(schema: Schema): string {
  const { type = "any" } = schema;
  const types = Array.isArray(schema.type) ? (schema.type as readonly string[]) : undefined;
  const choices = schema.anyOf ?? schema.oneOf ?? types?.map((one) => ({ ...schema, type: one }));
  if (choices) return [...new Set(choices.map(typeOf))].join(" | ");
  if ("const" in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(" | ");
  switch (type) {
    case "object":
      return objectType(schema);
    case "array":
      return `readonly (${schema.items ? typeOf(schema.items) : "unknown"})[]`;
    case "integer":
      return "number";
    case "string":
    case "number":
    case "boolean":
    case "null":
      return type;
    default:
      return "unknown";
  }
}

const shapeTypes = () =>
  Object.entries(shapes).map(([name, shape]) => {
    const schema = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" }) as Schema;
    // An interface can be extended.
    const type = typeOf(schema);
    return schema.anyOf || schema.oneOf ? `export type ${name} = ${type};\n` : `export interface ${name} ${type}\n`;
  });

/** @throws Error when a module of the kit exports something without its type */
function declarationOf(file: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(join(sources, file), "utf8"), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, isolatedDeclarations: true },
  });
  const [problem] = diagnostics;
  if (problem) throw new Error(`server/kit/${file}: ${ts.flattenDiagnosticMessageText(problem.messageText, " ")}`);
  return outputText.replaceAll(/(from|import) "(\.[^"]+)\.ts"/g, '$1 "$2.js"');
}

/** The modules that the package leads to, and those that they need. */
const entries = ["start-hearth.ts", "vitest.ts", "playwright.ts", "routes.ts", "wx/create-wx.ts"];

export function writeKitTypes(): void {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const written = new Set<string>();
  function write(file: string): void {
    if (written.has(file)) return;
    written.add(file);
    const text = file === shapesFile ? shapeTypes().join("\n") : declarationOf(file);
    const target = join(output, file.replace(/\.ts$/, ".d.ts"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    for (const [, path = ""] of text.matchAll(/ from "(\.[^"]+)\.js"/g))
      write(posix.join(posix.dirname(file), `${path}.ts`));
  }
  entries.forEach(write);
}
