import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./read-blocks.ts";

interface Manifest {
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

/** Copies an example, with the packages that it declares and no others; the tests have installed them. */
export function copyExample(example: string, to: string): void {
  cpSync(join(root, example), to, { recursive: true });
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(to, "package.json"), "utf8")) as Manifest;
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const places = ["test/clients/node_modules", "node_modules"].map((folder) => join(root, folder, name));
    const place = join(to, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(places.find((path) => existsSync(path)) ?? "", place);
  }
}
