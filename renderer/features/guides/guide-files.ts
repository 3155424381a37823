/** The guides of docs/guides, built into the page: a chunk for each language, fetched when the guides are first shown. */
import index from "../../../docs/README.md?raw";
import { readGuide, type GuidePage } from "./read-guide.ts";

type Files = Readonly<Record<string, string>>;

const load: Readonly<Record<"en" | "zh", () => Promise<Files>>> = {
  en: async () => (await import("./english-guides.ts")).englishGuides,
  zh: async () => (await import("./chinese-guides.ts")).chineseGuides,
};

/** The guides in the order of the book's table of contents; those that it does not name come last. */
export async function loadGuides(language: "en" | "zh"): Promise<readonly GuidePage[]> {
  const place = (name: string) => {
    const found = index.indexOf(`(guides/${name}.md)`);
    return found === -1 ? Infinity : found;
  };
  return Object.entries(await load[language]())
    .map(([path, text]) => readGuide(path.slice(path.lastIndexOf("/") + 1, -".md".length), text))
    .toSorted((one, other) => place(one.name) - place(other.name));
}
