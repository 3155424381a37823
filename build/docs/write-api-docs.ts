/** Writes the XML documentation files from the endpoints' comments, one per build configuration. */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readDocComments, type DocMember, type DocText, type SourceDocs } from "./read-doc-comments.ts";
import { root } from "../root.ts";

/** `npm run dev` uses `Debug`, everything else `Release`. */
const configurations = ["Debug", "Release"] as const;

/** The folders that declare endpoints. */
const sourceFolders = ["server/contract", "server/app"];

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escape = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? character);

const element = (name: string, { summary, remarks }: DocText) =>
  `    <member name="M:${name}">
      <summary>${escape(summary)}</summary>${remarks === undefined ? "" : `\n      <remarks>${escape(remarks)}</remarks>`}
    </member>`;

/** What was read of each file. A text that has not changed is not parsed again: that takes most of the time. */
const known = new Map<string, { readonly text: string; readonly docs: SourceDocs }>();

function docsOf(file: string, text: string): SourceDocs {
  const before = known.get(file);
  if (before?.text === text) return before.docs;
  const docs = readDocComments(file, text);
  known.set(file, { text, docs });
  return docs;
}

async function readSources() {
  const files = await Promise.all(
    sourceFolders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      return names.filter((name) => name.endsWith(".ts")).map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
    }),
  );
  return Promise.all(
    files
      .flat()
      .sort()
      .map(async (file) => docsOf(file, await readFile(join(root, file), "utf8"))),
  );
}

/** The operations of a collection: the general text, followed by the collection's own. */
const ofCollection = (collection: DocMember, operations: readonly DocMember[]): DocMember[] =>
  operations.map(({ name, summary }) => ({
    name: `${collection.name}.${name}`,
    where: collection.where,
    summary: summary.replaceAll("{plural}", collection.name),
    remarks: collection.summary,
  }));

/**
 * The text of the documentation file. `M:*.list` and similar entries are for collections added after the build.
 * @throws Error naming both places if two endpoints have the same name
 */
export async function apiDocsText(): Promise<string> {
  const sources = await readSources();
  const operations = sources.flatMap((one) => one.operations);
  const members = [
    ...sources.flatMap((one) => one.endpoints),
    ...sources.flatMap((one) => one.collections).flatMap((one) => ofCollection(one, operations)),
    ...operations.map((one) => ({ ...one, name: `*.${one.name}` })),
  ];
  const seen = new Map<string, string>();
  for (const { name, where } of members) {
    const before = seen.get(name);
    if (before !== undefined) throw new Error(`${where}: ${name} is the name of an endpoint in ${before}, too`);
    seen.set(name, where);
  }
  return `<?xml version="1.0" encoding="utf-8"?>
<doc>
  <assembly>
    <name>hearth</name>
  </assembly>
  <members>
${members.map((one) => element(one.name, one)).join("\n")}
  </members>
</doc>
`;
}

/** Writes `<folder>/<configuration>/hearth.xml` atomically: a running server may be reading it. */
export async function writeApiDocs(folder = join(root, "dist", "api-docs")): Promise<void> {
  const text = await apiDocsText();
  for (const configuration of configurations) {
    const target = join(folder, configuration);
    await mkdir(target, { recursive: true });
    await writeFile(join(target, "hearth.xml.new"), text);
    await rename(join(target, "hearth.xml.new"), join(target, "hearth.xml"));
  }
}
