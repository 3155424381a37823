import type { GuidePage, GuideSection } from "./read-guide.ts";

export interface GuideHit {
  readonly guide: GuidePage;
  readonly section: GuideSection;
  /** The text around the first word that was found: before it, itself, after it. */
  readonly excerpt: readonly [before: string, word: string, after: string];
}

const mostHits = 50;
const before = 40;
const after = 90;

function excerptOf(plain: string, words: readonly string[]): GuideHit["excerpt"] {
  const text = plain.toLowerCase();
  const [at = 0, word = ""] =
    words.map((one) => [text.indexOf(one), one] as const).find(([index]) => index !== -1) ?? [];
  const from = Math.max(0, at - before);
  const end = at + word.length;
  return [
    (from > 0 ? "…" : "") + plain.slice(from, at),
    plain.slice(at, end),
    plain.slice(end, end + after) + (plain.length > end + after ? "…" : ""),
  ];
}

/** Sections that contain all words of the query in title, heading or text; those with one in the heading come first. */
export function searchGuides(guides: readonly GuidePage[], query: string): readonly GuideHit[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const hits = guides.flatMap((guide) =>
    guide.sections.flatMap((section) => {
      const heading = `${guide.title} ${section.heading}`.toLowerCase();
      const all = `${heading} ${section.plain}`.toLowerCase();
      if (!words.every((word) => all.includes(word))) return [];
      const inHeading = words.some((word) => section.heading.toLowerCase().includes(word));
      return [{ guide, section, excerpt: excerptOf(section.plain, words), inHeading }];
    }),
  );
  return [...hits.filter(({ inHeading }) => inHeading), ...hits.filter(({ inHeading }) => !inHeading)].slice(
    0,
    mostHits,
  );
}
