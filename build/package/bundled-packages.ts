/** The packages whose code the bundles in dist/ contain. Their licences ask for their texts to be shipped, too. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";

/** The bundles of dist/, by the tool that writes them. */
const parts = ["node", "renderer"] as const;
type Part = (typeof parts)[number];

const noteOf = (part: Part) => join(root, "dist", `${part}.packages.json`);

/** The folder of the package that contains a module, from `node_modules/` on; undefined for Hearth's own modules. */
function packageOf(module: string): string | undefined {
  const path = module.replaceAll("\\", "/");
  const top = path.indexOf("node_modules/");
  if (top < 0) return undefined;
  const name = path.lastIndexOf("node_modules/") + "node_modules/".length;
  const [first = "", second = ""] = path.slice(name).split("/");
  return `${path.slice(top, name)}${first.startsWith("@") ? `${first}/${second}` : first}`;
}

/** Notes the packages of a part's bundled modules, for `npm run package`. */
export function noteBundledPackages(part: Part, modules: Iterable<string>): void {
  const folders = new Set([...modules].map(packageOf).filter((folder) => folder !== undefined));
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(noteOf(part), JSON.stringify([...folders].sort(), null, 1));
}

/** The folders of the packages in all bundles, relative to the checkout. */
export function bundledPackages(): string[] {
  return parts.flatMap((part) => JSON.parse(readFileSync(noteOf(part), "utf8")) as string[]);
}
