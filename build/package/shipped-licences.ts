/** Names, versions and licences of the npm packages in a packaged program, in bundles or as files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";
import { bundledPackages } from "./bundled-packages.ts";
import { shippedPackages, type Target } from "./shipped-packages.ts";

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier or expression. */
  readonly licence: string;
  /** The texts of its licence, and notices. */
  readonly texts: readonly string[];
  /** Folder, relative to the checkout. */
  readonly folder: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type: string };
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name: string };
}

const textsFolder = join(import.meta.dirname, "texts");
const standardText = (file: string) => readFileSync(join(textsFolder, `${file}.txt`), "utf8");

/** Licences of which packages may lack a text of their own. The LGPL refers to the GPL. */
const standardTexts: Record<string, (holder: string) => readonly string[]> = {
  MIT: (holder) => [standardText("MIT").replace("HOLDER", holder)],
  "LGPL-3.0-or-later": () => [standardText("LGPL-3.0"), standardText("GPL-3.0")],
};

function licenceOf({ name, license, licenses }: Manifest): string {
  const stated =
    typeof license === "string" ? license : (license?.type ?? licenses?.map(({ type }) => type).join(" OR "));
  if (stated === undefined) throw new Error(`${name} states no licence`);
  return stated;
}

function textsOf(folder: string, { name, author }: Manifest, licence: string): readonly string[] {
  const files = readdirSync(join(root, folder));
  const read = (file: string) => readFileSync(join(root, folder, file), "utf8");
  const own = files.filter((file) => /^(licen[cs]e|copying|notice|unlicense)/i.test(file)).map(read);
  if (own.length > 0) return own;
  const standard = standardTexts[licence];
  if (standard === undefined) throw new Error(`${name} has no licence file, and there is no text of ${licence} here`);
  // Some list the licences of what they contain there.
  const readme = files.filter((file) => /^readme/i.test(file)).map(read);
  const holder = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`);
  return [...standard(holder), ...(licence === "MIT" ? [] : readme)];
}

function shippedPackage(folder: string): ShippedPackage {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
  const licence = licenceOf(manifest);
  const { name, version } = manifest;
  return { name, version, licence, texts: textsOf(folder, manifest, licence), folder };
}

/** Of the packages in dist/. @throws when one states no licence, or has no text of it. */
export const bundledLicences = (): ShippedPackage[] => bundledPackages().map(shippedPackage);

/** Of everything in the packaged program. @throws when a package states no licence, or has no text of it. */
export function shippedLicences(target: Target): ShippedPackage[] {
  const asFiles = Object.keys(shippedPackages(target)).map((name) => `node_modules/${name}`);
  return [...new Set([...bundledPackages(), ...asFiles])].sort().map(shippedPackage);
}

/** One page with the licences of everything that is no npm package of its own or in one, and of all packages. */
export function licencePage(packages: readonly ShippedPackage[]): string {
  const part = (title: string, texts: readonly string[]) =>
    [`${"=".repeat(80)}\n${title}\n${"=".repeat(80)}`, ...texts.map((text) => text.trim())].join("\n\n");
  const parts = [
    part("llama.cpp: MIT", [standardText("llama.cpp")]),
    ...packages.map(({ name, version, licence, texts }) => part(`${name} ${version}: ${licence}`, texts)),
  ];
  const head = "Hearth contains the following software. Those of Electron and Chromium are in files of their own.";
  return `${[head, ...parts].join("\n\n\n")}\n`;
}
