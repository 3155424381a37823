/** An item of a list that is still open. */
interface OpenItem {
  /** The blanks before its mark, as written. */
  readonly written: number;
  /** The column where its text begins, as written and as aligned. */
  readonly writtenText: number;
  readonly text: number;
}

const itemPattern = /^( *)([-*+]|\d{1,9}[.)])( {1,4})(?=\S)/;
const rule = /^ *(?:[-*_] *){3,}$/;

/**
 * Aligns the items of lists as their writers mean them: two or four blanks nest an item below any other, and a list may
 * be indented right after a paragraph. Markdown alone counts blanks by the width of the mark above.
 */
export function alignLists(source: string): string {
  let open: OpenItem[] = [];
  let fence: string | undefined;
  let isAfterBlank = true;
  const align = (line: string): string => {
    const indent = line.search(/\S/);
    const mark = /^ *(`{3,}|~{3,})/.exec(line)?.[1];
    const item = fence !== undefined || rule.test(line) ? null : itemPattern.exec(line);
    if (!item) {
      if (fence === undefined && isAfterBlank) open = open.filter(({ written }) => indent > written);
      if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
        fence = fence === undefined ? mark : undefined;
      const top = open.at(-1);
      if (!top || indent <= top.written) return line;
      return " ".repeat(Math.max(0, Math.max(indent, top.writtenText) - top.writtenText) + top.text) + line.trimStart();
    }
    open = open.filter(({ written }) => indent >= written + 2);
    const parent = open.at(-1);
    // Code that is indented is no list.
    if (!parent && indent >= 4 && isAfterBlank) return line;
    const start = parent?.text ?? 0;
    const width = item[0].length - indent;
    open.push({ written: indent, writtenText: item[0].length, text: start + width });
    return " ".repeat(start) + line.trimStart();
  };
  const lines = source.split("\n").map((line) => {
    if (line.trim() === "") {
      isAfterBlank = true;
      return line;
    }
    const aligned = align(fence === undefined ? line.replace(/^\t+/, (tabs) => "    ".repeat(tabs.length)) : line);
    isAfterBlank = false;
    return aligned;
  });
  return lines.join("\n");
}
