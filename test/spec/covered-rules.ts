/** The ids of the rules that a test's title begins with: `[Limits 4] [Errors 400.3] a page size …`. */
export function idsOf(title: string): string[] {
  const [brackets = ""] = /^(?:\[[^\]]+\] ?)*/.exec(title) ?? [];
  return [...brackets.matchAll(/\[([^\]]+)\]/g)].map(([, id = ""]) => id);
}
