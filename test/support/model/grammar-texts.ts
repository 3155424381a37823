/** Random texts that a grammar in GBNF generates, as Hearth writes them. */

type Node =
  | { readonly kind: "characters"; readonly ranges: readonly (readonly [first: number, last: number])[] }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Node[] }
  | { readonly kind: "times"; readonly part: Node; readonly min: number; readonly max: number };

const numbered = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
const token = /"[^"\\]*(?:\\[^][^"\\]*)*"|\[[^\]\\]*(?:\\[^][^\]\\]*)*\]|[\w-]+|\{\d+(?:,\d*)?\}|[*+?()|]/g;

/** Code points of what stands between quotes or brackets; `plain` marks those that are written as themselves. */
function pointsOf(inside: string): { point: number; isPlain: boolean }[] {
  const points: { point: number; isPlain: boolean }[] = [];
  for (let at = 0; at < inside.length;) {
    numbered.lastIndex = at;
    const found = numbered.exec(inside);
    const isEscape = inside.charAt(at) === "\\";
    if (found !== null) at = numbered.lastIndex;
    else if (isEscape) at += 1;
    const hex = found?.[1] ?? found?.[2] ?? found?.[3];
    const own = inside.codePointAt(at) ?? 0;
    const escapes: Record<string, number> = { n: 10, r: 13, t: 9 };
    const point = hex === undefined ? ((isEscape ? escapes[inside.charAt(at)] : undefined) ?? own) : parseInt(hex, 16);
    if (hex === undefined) at += own > 0xffff ? 2 : 1;
    points.push({ point, isPlain: !isEscape });
  }
  return points;
}

const literalOf = (inside: string): Node => ({
  kind: "sequence",
  parts: pointsOf(inside).map(({ point }) => ({ kind: "characters", ranges: [[point, point]] })),
});

function classOf(inside: string): Node {
  const isNegated = inside.startsWith("^");
  const points = pointsOf(isNegated ? inside.slice(1) : inside);
  const ranges: [number, number][] = [];
  for (let at = 0; at < points.length; at++) {
    const first = points[at]?.point ?? 0;
    const dash = points[at + 1];
    const end = points[at + 2];
    if (dash?.point === 0x2d && dash.isPlain && end !== undefined) {
      ranges.push([first, end.point]);
      at += 2;
    } else ranges.push([first, first]);
  }
  if (!isNegated) return { kind: "characters", ranges };
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of ranges.sort((a, b) => a[0] - b[0])) {
    if (next < first) rest.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  return { kind: "characters", ranges: [...rest, ...(next <= 0x10ffff ? [[next, 0x10ffff] as const] : [])] };
}

function parse(body: string): Node {
  const tokens = body.match(token) ?? [];
  let at = 0;
  function choice(): Node {
    const parts: Node[] = [sequence()];
    while (tokens[at] === "|") {
      at++;
      parts.push(sequence());
    }
    return parts.length === 1 ? (parts[0] as Node) : { kind: "choice", parts };
  }
  function sequence(): Node {
    const parts: Node[] = [];
    for (let text = tokens[at]; text !== undefined && text !== "|" && text !== ")"; text = tokens[at]) {
      at++;
      const part = parts.at(-1);
      if ("*+?{".includes(text.charAt(0)) && part !== undefined) {
        const [min = 0, max = min] = text.startsWith("{")
          ? text
              .slice(1, -1)
              .split(",")
              .map((count) => (count === "" ? Infinity : Number(count)))
          : text === "*"
            ? [0, Infinity]
            : text === "+"
              ? [1, Infinity]
              : [0, 1];
        parts.splice(-1, 1, { kind: "times", part, min, max });
      } else if (text === "(") {
        parts.push(choice());
        at++;
      } else if (text.startsWith('"')) parts.push(literalOf(text.slice(1, -1)));
      else if (text.startsWith("[")) parts.push(classOf(text.slice(1, -1)));
      else parts.push({ kind: "rule", name: text });
    }
    return { kind: "sequence", parts };
  }
  return choice();
}

/**
 * Makes texts; `pick(n)` draws a whole number below n. Parts that would need too many rules inside one another are avoided,
 * so that texts end.
 */
export function grammarTexts(gbnf: string): (pick: (count: number) => number) => string {
  const rules = new Map(
    gbnf.split("\n").map((line): [string, Node] => {
      const [name = "", body = ""] = line.split(/ ::= (.*)/s);
      return [name, parse(body)];
    }),
  );
  /** The least depth of rules that a text of each rule needs. */
  const depths = new Map<string, number>();
  const depthOf = (node: Node): number => {
    if (node.kind === "characters") return node.ranges.length === 0 ? Infinity : 0;
    if (node.kind === "rule") return 1 + (depths.get(node.name) ?? Infinity);
    if (node.kind === "times") return node.min === 0 ? 0 : depthOf(node.part);
    const all = node.parts.map(depthOf);
    return node.kind === "choice" ? Math.min(...all) : Math.max(0, ...all);
  };
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const [name, node] of rules) {
      const depth = depthOf(node);
      if (depth >= (depths.get(name) ?? Infinity)) continue;
      depths.set(name, depth);
      isNew = true;
    }
  }

  return (pick) => {
    let budget = 300;
    function write(node: Node): string {
      switch (node.kind) {
        case "characters": {
          const [first, last] = node.ranges[pick(node.ranges.length)] ?? [0, 0];
          // The ends of a range are where mistakes are.
          const point = [first, last, first + pick(last - first + 1)][pick(3)] ?? first;
          return String.fromCodePoint(point >= 0xd800 && point <= 0xdfff ? 0xe000 : point);
        }
        case "rule":
          budget--;
          return write(rules.get(node.name) as Node);
        case "sequence":
          return node.parts.map(write).join("");
        case "choice": {
          const least = Math.min(...node.parts.map(depthOf));
          const open = node.parts.filter((part) => depthOf(part) <= (budget > 0 ? 1e6 : least));
          return write(open[pick(open.length)] as Node);
        }
        case "times": {
          const most = budget > 0 && depthOf(node.part) < Infinity ? Math.min(node.max, node.min + 3) : node.min;
          const count = node.min + pick(most - node.min + 1);
          return Array.from({ length: count }, () => write(node.part)).join("");
        }
      }
    }
    return write(rules.get("root") as Node);
  };
}
