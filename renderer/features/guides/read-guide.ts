/** Reads a guide: Markdown with one title and sections under headings. */

export interface GuideSection {
  /** The anchor of its heading, as GitHub makes it; absent: the text under the title. */
  readonly anchor: string | undefined;
  readonly heading: string;
  /** Without marks of Markdown, for the search. */
  readonly plain: string;
}

export interface GuidePage {
  /** The file name without its ending. */
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
  readonly sections: readonly GuideSection[];
}

export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The file and the anchor that a link leads to. What shows Markdown has percent-encoded them. */
export function readLink(href: string): { readonly file: string; readonly anchor: string | undefined } {
  const [file = "", anchor] = href.split("#").map(decoded);
  return { file, anchor };
}

const without = (text: string, begin: string, end: string): string =>
  text
    .split(begin)
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf(end) + end.length).trimStart()))
    .join("");

/** Comments are for the tests of the guides; pictures show the console, which the reader is looking at. */
const visiblePart = (text: string): string => without(without(text, "<!--", "-->"), "<picture>", "</picture>");

/** Chinese has no spaces: where a line ends within a sentence, the next one follows at once. Code stays as it is. */
const withoutBreaks = (text: string): string =>
  text
    .split("```")
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/(?<=[\p{Script=Han}，。、；：？！）》”])\n *(?=[\p{Script=Han}（《“])/gu, ""),
    )
    .join("```");

const plainOf = (markdown: string): string =>
  markdown
    .replaceAll(/\]\([^()]*\)/g, "")
    .replaceAll(/[`*[\]|#]/g, "")
    .replaceAll(/-{3,}/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

interface Part {
  readonly heading: string;
  readonly lines: string[];
}

/** @param name the file name without its ending */
export function readGuide(name: string, text: string): GuidePage {
  const markdown = withoutBreaks(visiblePart(text));
  const parts: Part[] = [{ heading: "", lines: [] }];
  let fenced = false;
  let title = name;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    const [, hashes, heading = ""] = (!fenced && /^(#{1,3}) (.*)$/.exec(line)) || [];
    if (hashes === "#") title = plainOf(heading);
    else if (hashes !== undefined) parts.push({ heading: plainOf(heading), lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  const sections = parts.map(({ heading, lines }, index) => ({
    anchor: index === 0 ? undefined : anchorOf(heading),
    heading: index === 0 ? title : heading,
    plain: plainOf(lines.join("\n")),
  }));
  return { name, title, markdown, sections };
}
