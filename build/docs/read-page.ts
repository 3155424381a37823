/** A page of Markdown as the checks see it: its headings with their anchors and numbered rules, and its links. */

export interface Rule {
  /** As a reference names it: `2`, or `403.1`. */
  readonly number: string;
  readonly text: string;
}

export interface Section {
  readonly heading: string;
  /** As GitHub makes it of the heading. */
  readonly anchor: string;
  /** Items of its numbered list, and rows of its tables that begin with a number. */
  readonly rules: readonly Rule[];
}

export interface Link {
  readonly target: string;
  /** From 1. */
  readonly line: number;
}

export interface Page {
  readonly sections: readonly Section[];
  readonly links: readonly Link[];
}

/** What a reader sees of a heading: no code marks, the texts of links. */
const plainText = (markdown: string) => markdown.replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1").replaceAll("`", "");

function anchorsOf(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${String(before)}`;
  };
}

function linksIn(line: string): string[] {
  const prose = line.replace(/`[^`]*`/g, "");
  const inline = [...prose.matchAll(/\]\(([^()]*)\)/g)].map(([, target = ""]) => target.trim().split(" ", 1).join());
  const attributes = [...prose.matchAll(/\b(?:href|src|srcset)="([^"]*)"/g)].map(([, target = ""]) => target);
  const definition = /^\[[^\]]+\]: (\S+)/.exec(prose)?.[1];
  return [...inline, ...attributes, ...(definition === undefined ? [] : [definition])];
}

/** The rule that a line begins. */
function ruleIn(line: string): { number: string; text: string } | undefined {
  const [, number, text = ""] = /^(\d+)\. (.*)$/.exec(line) ?? [];
  if (number !== undefined) return { number, text };
  const [, first = "", ...cells] = line.split("|").map((cell) => cell.trim());
  return /^\d+(?:[.]\d+)?$/.test(first) ? { number: first, text: cells.filter(Boolean).join(": ") } : undefined;
}

export function readPage(markdown: string): Page {
  const sections: { heading: string; anchor: string; rules: { number: string; text: string }[] }[] = [];
  const links: Link[] = [];
  const anchorOf = anchorsOf();
  let inCode = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (line.trimStart().startsWith("```")) inCode = !inCode;
    if (inCode) continue;
    links.push(...linksIn(line).map((target) => ({ target, line: index + 1 })));
    const [, written] = /^#{1,6} (.*)$/.exec(line) ?? [];
    if (written !== undefined) {
      const heading = plainText(written.trim());
      sections.push({ heading, anchor: anchorOf(heading), rules: [] });
      continue;
    }
    const rules = sections.at(-1)?.rules;
    const rule = ruleIn(line);
    const last = rules?.at(-1);
    if (rule) rules?.push(rule);
    // The rest of an item that is broken into lines.
    else if (last && /^ {3}\S/.test(line)) last.text += ` ${line.trim()}`;
  }
  return { sections, links };
}
