import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { McpResource } from "../mcp-content.ts";
import { readGuides } from "./guide-files.ts";
import { furtherParts, textPart } from "./text-parts.ts";

const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1] ?? "";

/** The first paragraph below the title, in one line. */
const summaryOf = (markdown: string) =>
  (markdown.split(/\n{2,}/).find((part, index) => index > 0 && /^[A-Z`*[]/.test(part)) ?? "").replaceAll("\n", " ");

const about = { mimeType: "text/markdown" };
const addressOf = (path: string) => `hearth://docs/${path}`;

/** A resource for each guide and reference, and the template for the other parts of long ones. */
export async function guideResources(): Promise<McpResource[]> {
  const pages = new Map(Object.entries(await readGuides()));
  const guides = [...pages].map(([path, markdown]) => ({
    ...about,
    name: path.replace("/", "_"),
    uri: addressOf(path),
    title: titleOf(markdown),
    description: summaryOf(markdown),
    read: async () => textPart(markdown, addressOf(path)),
  }));
  const all = furtherParts({
    ...about,
    name: "docs",
    uri: addressOf("{folder}/{page}"),
    title: "Guides",
    description: "",
  });
  const rest: McpResource = {
    ...all,
    async read(variables) {
      const path = `${variables["folder"] ?? ""}/${variables["page"] ?? ""}`;
      const markdown = pages.get(path);
      if (markdown === undefined) throw new ResourceNotFoundError(addressOf(path));
      return textPart(markdown, addressOf(path), variables);
    },
  };
  return [...guides, rest];
}
