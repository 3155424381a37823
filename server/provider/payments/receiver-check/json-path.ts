/** Finds a value in JSON by a path such as `data.orders[0].state`, `history[reason=settled].length`. */

const step = /([^.[\]]+)|\[([^[\]]+)\]/g;

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** `[0]`: the element. `[name=value]`: the elements whose member of that name has that value. */
function element(value: unknown, inside: string): unknown {
  if (!Array.isArray(value)) return isObject(value) ? value[inside] : undefined;
  if (/^\d+$/.test(inside)) return value[Number(inside)] as unknown;
  const [name = "", wanted] = inside.split(/=(.*)/s);
  return value.filter((one) => isObject(one) && conditionText(one[name]) === wanted);
}

function member(value: unknown, name: string): unknown {
  if (Array.isArray(value) && name === "length") return value.length;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The text that a person writes for the value in a condition. */
export const conditionText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Undefined if there is no value. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const [, name, inside] of path.matchAll(step))
    value = name === undefined ? element(value, inside ?? "") : member(value, name);
  return value;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === false || value === 0 || value === "";

function partsOf(condition: string) {
  const [, path = condition, wanted] = /^((?:[^=[\]]|\[[^\]]*\])+)=(.*)$/s.exec(condition) ?? [];
  return { path, wanted };
}

/** @param condition as for `meetsCondition` */
export const pathOfCondition = (condition: string): string => partsOf(condition).path;

/** @param condition `PATH=VALUE`, or a path alone: any value */
export function meetsCondition(document: unknown, condition: string): boolean {
  const { path, wanted } = partsOf(condition);
  const found = valueAt(document, path);
  return wanted === undefined ? !isEmpty(found) : conditionText(found) === wanted;
}

/** Replaces `{name}` with the result of `read`; unknown names stay. @param write escapes a text for its place */
export const filled = (
  template: string,
  read: (name: string) => unknown,
  write: (text: string) => string = (text) => text,
): string =>
  template.replace(/\{([^{}\s"':,]+)\}/g, (all, name: string) => {
    const value = read(name);
    return value === undefined ? all : write(conditionText(value));
  });
