/** The software bill of materials of a packaged program, as CycloneDX 1.6. */
import { Ajv } from "ajv";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";
import type { ShippedPackage } from "./shipped-licences.ts";

interface LockEntry {
  readonly integrity?: string;
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), "utf8")) as T;

/** A package URL: the scope's `@` is escaped. */
const npmUrl = (name: string, version: string) => `pkg:npm/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;

const licencesOf = (licence: string) => [
  / (OR|AND|WITH) /.test(licence) ? { expression: licence } : { license: { id: licence } },
];

/** The digest of npm's archive, from the lockfile: base64 there, hexadecimal here. */
function hashesOf({ integrity }: LockEntry) {
  const [algorithm, digest] = integrity?.split("-", 2) ?? [];
  if (algorithm !== "sha512" || digest === undefined) return undefined;
  return [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }];
}

/** Hearth's components: npm packages, Electron, llama.cpp. */
export function createSbom(packages: readonly ShippedPackage[], electronVersion: string) {
  const hearth = readJson<{ name: string; version: string; license: string }>("package.json");
  const locked = readJson<{ packages: Readonly<Record<string, LockEntry>> }>("package-lock.json").packages;
  const { tag } = readJson<{ tag: string }>("node_modules/node-llama-cpp/llama/llama.cpp.info.json");
  const component = (name: string, version: string, purl: string, licence: string) => ({
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    licenses: licencesOf(licence),
  });
  const components = [
    { ...component("electron", electronVersion, npmUrl("electron", electronVersion), "MIT"), type: "framework" },
    component("llama.cpp", tag, `pkg:github/ggml-org/llama.cpp@${tag}`, "MIT"),
    ...packages.map(({ name, version, licence, folder }) => ({
      ...component(name, version, `${npmUrl(name, version)}#${folder}`, licence),
      purl: npmUrl(name, version),
      hashes: hashesOf(locked[folder] ?? {}),
    })),
  ];
  const own = component("Hearth", hearth.version, npmUrl(hearth.name, hearth.version), hearth.license);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...own, type: "application" } },
    components,
    dependencies: [
      { ref: own["bom-ref"], dependsOn: components.map((each) => each["bom-ref"]) },
      ...components.map((each) => ({ ref: each["bom-ref"], dependsOn: [] })),
    ],
  };
}

const schemaFolder = "build/packager/node_modules/@cyclonedx/cyclonedx-library/res/schema";

/** @throws when it does not follow CycloneDX's schema, with what is wrong. */
export function checkSbom(sbom: unknown): void {
  const schema = (name: string) => readJson<object>(`${schemaFolder}/${name}.SNAPSHOT.schema.json`);
  // The schema's formats are more than Ajv knows, and of no use to who reads this file.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  // They are referred to by their files, not by their identifiers.
  for (const name of ["spdx", "jsf-0.82"])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  if (!ajv.validate(schema("bom-1.6"), sbom)) throw new Error(`the SBOM is not valid: ${ajv.errorsText()}`);
}
