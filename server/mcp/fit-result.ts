/** Bounds the results of tools: a page of the value, and the cursor of the next page. */

/** Bytes of the JSON of one page: about 4,000 tokens. */
export const maxPageBytes = 16_000;
/** The characters of a text within a value on one page. */
const maxTextLength = 4_000;

export interface ResultPage<Value> {
  readonly value: Value;
  /** The cursor of the next page, if there is more. */
  readonly next?: string;
  /** The rest, and how to get it. */
  readonly note?: string;
}

/** The place of a page: the first item of the longest list, or the first character of all long texts. */
type Place = { readonly item: number } | { readonly character: number };

/** @throws Error for a cursor that no page has named */
function placeOf(cursor: string): Place {
  const [, kind, number] = /^(item|character)-(\d{1,9})$/.exec(cursor) ?? [];
  if (kind === undefined)
    throw new Error(`The cursor "${cursor}" is unknown. Send the next_cursor of the last result.`);
  return kind === "item" ? { item: Number(number) } : { character: Number(number) };
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A list within a value, and the value with other items in its place. */
interface List {
  readonly items: readonly unknown[];
  with(items: readonly unknown[]): unknown;
}

/** The longest list of a value, at any depth below its objects. */
function longestList(value: unknown): List | undefined {
  if (Array.isArray(value)) return { items: value, with: (items) => items };
  if (!isObject(value)) return undefined;
  let longest: List | undefined;
  for (const [name, member] of Object.entries(value)) {
    const list = longestList(member);
    if (list && bytesOf(list.items) > bytesOf(longest?.items ?? []))
      longest = { items: list.items, with: (items) => ({ ...value, [name]: list.with(items) }) };
  }
  return longest;
}

/** Cuts texts to the part from a character on. `onCut` is called for each text that continues after that part. */
function cutTexts(value: unknown, from: number, onCut: () => void): unknown {
  if (typeof value === "string") {
    if (value.length <= maxTextLength) return value;
    if (value.length > from + maxTextLength) onCut();
    return value.slice(from, from + maxTextLength);
  }
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, from, onCut));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutTexts(member, from, onCut)]));
}

/** As many items as a page holds, and at least one. */
function itemsThatFit(items: readonly unknown[], room: number): readonly unknown[] {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += bytesOf(item) + 1) > room);
  return end < 0 ? items : items.slice(0, Math.max(end, 1));
}

/** Some items of the longest list. @throws Error when even one does not fit */
function pageOfList(value: unknown, from: number, total: number): ResultPage<unknown> {
  const list = longestList(value);
  const rest = list?.items.slice(from) ?? [];
  const items = itemsThatFit(rest, maxPageBytes - bytesOf(list?.with([])));
  const page = list ? list.with(items) : value;
  if (bytesOf(page) > maxPageBytes)
    throw new Error(
      `The result has ${String(total)} bytes, and one page ${String(maxPageBytes)}: narrow the arguments.`,
    );
  if (items.length === rest.length) return { value: page };
  const until = from + items.length;
  const note = `Items ${String(from + 1)} to ${String(until)} of ${String(list?.items.length)}. Call again with next_cursor as cursor for more.`;
  return { value: page, next: `item-${String(until)}`, note };
}

/**
 * The page of a result that a cursor names, or the first one. Types stay as they are: a list keeps whole items, and only
 * texts over 4,000 characters are cut. `[a, b, c]` with room for two: `[a, b]`, then `[c]`.
 * @throws Error for an unknown cursor, or a value that no page holds
 */
export function fitResult<Value>(value: Value, cursor?: string): ResultPage<Value> {
  const place: Place = cursor === undefined ? { character: 0 } : placeOf(cursor);
  const from = "character" in place ? place.character : 0;
  let isCut = false;
  const cut = cutTexts(value, from, () => (isCut = true)) as Value;
  if ("item" in place || bytesOf(cut) > maxPageBytes)
    return pageOfList(cut, "item" in place ? place.item : 0, bytesOf(value)) as ResultPage<Value>;
  if (!isCut) return { value: cut };
  const note = `Long texts are cut to ${String(maxTextLength)} characters. Call again with next_cursor as cursor for their next part.`;
  return { value: cut, next: `character-${String(from + maxTextLength)}`, note };
}
