/**
 * Reads the fields of a public SDK's C# models: names, types, and whether a value may be missing. The platform publishes
 * no such description of its API for servers; this one is a client library's.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FieldSchema } from "./describe-operation.ts";

interface Property {
  readonly name: string;
  /** As it is written, with its question mark. */
  readonly type: string;
  readonly isUnixTime: boolean;
}

interface Model {
  readonly base: string | undefined;
  readonly properties: readonly Property[];
}

const className = /\bclass (\w+)(?:\s*:\s*([\w.]+))?/;
const attributeName = /Newtonsoft[.]Json[.]JsonProperty\("(\w+)"\)/;
const propertyType = /^public (?:(?:override|virtual|new) )*([\w.<>?,[\] ]+?) \w+ \{ get;/;

/** The classes of a file, by their full names. */
function modelsIn(text: string): [string, Model][] {
  const models: [string, { base: string | undefined; properties: Property[] }][] = [];
  const scopes: { name: string | undefined; depth: number }[] = [];
  let depth = 0;
  let opened: string | undefined;
  let attributes = "";
  for (const line of text.split(/\r?\n/).map((written) => written.trim())) {
    if (line.startsWith("//")) continue;
    const [, name, base] = className.exec(line) ?? [];
    if (name !== undefined) {
      const full = [...scopes.flatMap((scope) => scope.name ?? []), name].join(".");
      models.push([full, { base, properties: [] }]);
      opened = name;
    }
    const [, type] = propertyType.exec(line) ?? [];
    const [, field] = attributeName.exec(attributes) ?? [];
    if (type !== undefined && field !== undefined) {
      const full = scopes.flatMap((scope) => scope.name ?? []).join(".");
      const isUnixTime = attributes.includes("UnixTimestamp");
      models.find(([known]) => known === full)?.[1].properties.push({ name: field, type, isUnixTime });
    }
    attributes = line.startsWith("[") ? `${attributes}${line}` : "";
    for (const character of line.replace(/"[^"]*"/g, "")) {
      if (character === "{") {
        depth++;
        scopes.push({ name: opened, depth });
        opened = undefined;
      } else if (character === "}") {
        depth--;
        scopes.pop();
      }
    }
  }
  return models;
}

const simple: Readonly<Record<string, string>> = {
  ...{ string: "string", bool: "boolean", int: "integer", long: "integer" },
  ...{ decimal: "number", double: "number", float: "number" },
};

export class Models {
  readonly #models: ReadonlyMap<string, Model>;

  /** @param folder of the models' sources */
  constructor(folder: string) {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".cs"));
    this.#models = new Map(files.flatMap((file) => modelsIn(readFileSync(join(folder, file), "utf8"))));
  }

  /** The fields of a class, those of its bases first. */
  describe(name: string): FieldSchema {
    const model = this.#models.get(name);
    if (!model) return { type: "object" };
    const base = model.base === undefined ? undefined : this.#find(name, model.base);
    const inherited: FieldSchema = base === undefined ? {} : this.describe(base);
    const own = model.properties.map((property) => [property.name, this.#typed(name, property)] as const);
    const needed = model.properties.filter(({ type }) => !type.endsWith("?")).map((property) => property.name);
    return {
      type: "object",
      required: [...new Set([...(inherited.required ?? []), ...needed])],
      properties: { ...inherited.properties, ...Object.fromEntries(own) },
    };
  }

  #typed(scope: string, { type: written, isUnixTime }: Pick<Property, "type" | "isUnixTime">): FieldSchema {
    const type = written.replace(/[?]$/, "");
    const item = /^(?:IList|List|IEnumerable)<(.+)>$/.exec(type)?.[1] ?? /^(.+)\[\]$/.exec(type)?.[1];
    if (item !== undefined) return { type: "array", items: this.#typed(scope, { type: item, isUnixTime }) };
    if (type === "DateTimeOffset") return { type: isUnixTime ? "integer" : "string" };
    const known = simple[type];
    if (known !== undefined) return { type: known };
    if (type.startsWith("IDictionary<")) return { type: "object" };
    const found = this.#find(scope, type);
    return found === undefined ? {} : this.describe(found);
  }

  /** A name as the class `scope` sees it: its own members first, then those of the classes around it. */
  #find(scope: string, name: string): string | undefined {
    const parts = scope.split(".");
    for (let length = parts.length; length >= 0; length--) {
      const full = [...parts.slice(0, length), name].join(".");
      if (full !== scope && this.#models.has(full)) return full;
    }
    return undefined;
  }
}
