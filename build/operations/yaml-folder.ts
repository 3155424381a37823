/** YAML files that refer to each other's members. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { isObject } from "../../server/contract/is-object.ts";

export class YamlFolder {
  readonly #folder: string;
  readonly #files = new Map<string, Record<string, unknown>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param file relative to the folder */
  read(file: string): Record<string, unknown> {
    const read = this.#files.get(file);
    if (read) return read;
    const content: unknown = parse(readFileSync(join(this.#folder, file), "utf8"), { merge: true, uniqueKeys: false });
    if (!isObject(content)) throw new Error(`${file} is not a mapping`);
    this.#files.set(file, content);
    return content;
  }

  /** Resolves a value that may be a reference; the file is the one that its own references are relative to. */
  resolve(file: string, value: unknown): { file: string; value: Record<string, unknown> } {
    if (!isObject(value)) throw new Error(`${file}: not a mapping`);
    const reference = value["$ref"];
    if (typeof reference !== "string") return { file, value };
    const [target = "", name = ""] = reference.split("#");
    const targetFile = target === "" ? file : join(dirname(file), target);
    return this.resolve(targetFile, memberOf(this.read(targetFile), name.replace(/^[/]/, "")));
  }
}

/** Names may contain dots and slashes, so the whole rest is tried before a path of names. */
function memberOf(content: Record<string, unknown>, name: string): unknown {
  if (name === "") return content;
  if (name in content) return content[name];
  return name.split("/").reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), content);
}
