/** The XML documentation files: the only source of the texts of operations (spec: API description UI 3). */
import { readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { OperationText } from "./describe-api.ts";
import { operationText } from "./operation-text.ts";

/** The build configuration of this program; `npm run dev` runs `Debug`. */
export const buildConfigurations = ["Debug", "Release"] as const;
type BuildConfiguration = (typeof buildConfigurations)[number];

/** The folder of the documentation files, and the running build configuration. */
export interface DocumentationSource {
  readonly folder: string;
  readonly configuration: BuildConfiguration;
}

/** The file of the running configuration is unusable; the message names it and says what to do. */
export class DocumentationError extends Error {
  override readonly name = "DocumentationError";
}

export interface Documentation {
  /** Changes whenever a file does. */
  readonly version: string;
  /** Undefined for all operations while the file of another configuration is missing (spec: API description UI 3). */
  readonly textOf: (spec: EndpointSpec) => OperationText | undefined;
}

interface Member {
  readonly summary: string;
  readonly remarks?: string;
}
type Members = ReadonlyMap<string, Member>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  isArray: (name) => name === "member",
});

/** Reads `<folder>/<configuration>/hearth.xml`, and again after a change. */
export function createDocumentation({ folder, configuration: running }: DocumentationSource) {
  const fileOf = (configuration: BuildConfiguration) => join(folder, configuration, "hearth.xml");
  /** The path relative to the program's folder: dist/api-docs/Release/hearth.xml. */
  const shortPath = relative(dirname(dirname(folder)), fileOf(running));
  let known: { version: string; members: Members } | undefined;

  async function membersOf(version: string): Promise<Members> {
    if (known?.version === version) return known.members;
    const members = parseMembers(await readFile(fileOf(running), "utf8"));
    if (!members)
      throw new DocumentationError(
        `The documentation file ${shortPath} is damaged. Create it again with \`npm run build\`.`,
      );
    known = { version, members };
    return members;
  }

  return {
    /** @throws DocumentationError when the file of the running configuration is missing or damaged */
    async read(): Promise<Documentation> {
      const [own, ...others] = await Promise.all(
        [running, ...buildConfigurations.filter((one) => one !== running)].map(async (one) => stampOf(fileOf(one))),
      );
      if (own === undefined)
        throw new DocumentationError(
          `The documentation file of the running build configuration (${running}) is missing: ${shortPath}. Create it with \`npm run build\`.`,
        );
      const members = await membersOf(own);
      const complete = others.every((stamp) => stamp !== undefined);
      return {
        version: [own, complete].join(),
        textOf: (spec) => (complete ? textOf(spec, members) : undefined),
      };
    },
  };
}

const stampOf = async (file: string): Promise<string | undefined> => {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true ? `${String(found.mtimeMs)}/${String(found.size)}` : undefined;
};

/** Members by name without the `M:`; undefined for an invalid file. */
function parseMembers(text: string): Members | undefined {
  if (XMLValidator.validate(text) !== true) return undefined;
  const { doc } = parser.parse(text) as { doc?: { members?: { member?: unknown[] } | string } };
  if (doc?.members === undefined) return undefined;
  const listed = typeof doc.members === "object" ? (doc.members.member ?? []) : [];
  return new Map(
    listed.flatMap((one): [string, Member][] => {
      const { name, summary, remarks } = one as Record<string, unknown>;
      if (typeof name !== "string" || typeof summary !== "string") return [];
      return [[name.replace(/^M:/, ""), { summary, ...(typeof remarks === "string" && { remarks }) }]];
    }),
  );
}

/** The member of an endpoint; for a collection added after the build, the general text of all collections. */
function textOf({ id, member = id, about }: EndpointSpec, members: Members): OperationText | undefined {
  const [plural = "", operation] = member.split(".");
  const found = members.get(member) ?? (operation === undefined ? undefined : members.get(`*.${operation}`));
  if (!found) return undefined;
  return operationText(found.summary.replaceAll("{plural}", plural), found.remarks, about);
}
