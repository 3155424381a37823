/** The limits of the engine's parser: larger grammars in GBNF are refused or take too long. */

/** The engine cannot take a grammar, or works on it for longer than others may wait. The message says why. */
export class GrammarLimitError extends Error {
  override readonly name = "GrammarLimitError";
}

/** The engine refuses repetitions of so many parts, those of parts in parts included (`MAX_REPETITION_THRESHOLD`). */
const repetitionLimit = 2000;
/** The most repetitions of one part. */
export const mostRepetitions = repetitionLimit - 1;
/** It calls itself for each group in a group. */
const mostNested = 1500;
/** The time that it takes for alternatives grows with their square: so many take 0.1 s. */
const mostAlternatives = 2000;

/** The most parameters of a tool: the engine tries each as the next one, for every token. */
export const mostParameters = 1000;

interface Group {
  /** Characters and references, each repetition counted. */
  elements: number;
  /** Those of the part that a repetition would be about, and how many rules the engine makes of it. */
  last: number;
  lastRules: number;
  alternatives: number;
  /** How many rules there were before it. */
  readonly rulesBefore: number;
}

const token = /\s+|"[^"\\]*(?:\\[^][^"\\]*)*"|\[[^\]\\]*(?:\\[^][^\]\\]*)*\]|[\w-]+|\{\d+(?:,\d*)?\}|[*+?()|]/y;

function countsOf(quantifier: string): [min: number, max: number | undefined] {
  if (quantifier === "*") return [0, undefined];
  if (quantifier === "+") return [1, undefined];
  if (quantifier === "?") return [0, 1];
  const [min = "", max = min] = quantifier.slice(1, -1).split(",");
  return [Number(min), max === "" ? undefined : Number(max)];
}

/** In a literal or a class. */
const charactersIn = (quoted: string) => quoted.replace(/\\(?:x..|u.{4}|U.{8})/g, "x").length - 2;

/**
 * Elements of a rule's body as the engine holds it.
 * @throws GrammarLimitError
 */
export function grammarSize(body: string): number {
  const seen = new Set<string>();
  /** Rules that the engine knows: those that are named, and one for each group and each optional repetition. */
  let rules = 0;
  const open = (): Group => ({ elements: 0, last: 0, lastRules: 1, alternatives: 1, rulesBefore: rules });
  const groups: Group[] = [];
  let group = open();

  function take(elements: number, rulesOfIt = 1): void {
    group.elements += elements;
    group.last = elements;
    group.lastRules = rulesOfIt;
  }

  function repeat(min: number, max: number | undefined): void {
    if (max !== undefined && max < min) throw new GrammarLimitError("its maximum of repetitions is below its minimum");
    const times = max !== undefined && max > 0 ? max : Math.max(1, min);
    if (group.lastRules * times >= repetitionLimit)
      throw new GrammarLimitError(`it repeats more than ${String(mostRepetitions)} parts`);
    const optional = max === undefined ? 1 : max - min;
    rules += optional;
    group.elements += group.last * (min - 1 + optional) + 3 * optional;
    group.lastRules *= times;
  }

  function close(): void {
    const { elements, rulesBefore } = group;
    group = groups.pop() ?? open();
    take(elements + 2, rules - rulesBefore);
  }

  for (let at = 0; at < body.length; at = token.lastIndex) {
    token.lastIndex = at;
    const text = token.exec(body)?.[0];
    if (text === undefined) throw new GrammarLimitError(`${JSON.stringify(body.charAt(at))} is not expected`);
    const first = text.charAt(0);
    if (first === '"' || first === "[") take(charactersIn(text));
    else if (first === "(") {
      groups.push(group);
      if (groups.length > mostNested)
        throw new GrammarLimitError(`it is nested deeper than ${String(mostNested)} levels`);
      group = open();
      rules++;
    } else if (first === ")") close();
    else if (first === "|") {
      if (++group.alternatives > mostAlternatives)
        throw new GrammarLimitError(`it has more than ${String(mostAlternatives)} alternatives`);
    } else if ("*+?{".includes(first)) repeat(...countsOf(text));
    else if (first.trim() !== "") {
      if (!seen.has(text)) rules++;
      seen.add(text);
      take(1);
    }
  }
  return group.elements;
}
