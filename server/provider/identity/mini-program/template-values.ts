/** The places of a message template, and which values each kind of place takes. */

/** By the kind in a place's name; the limits are those of the platform's documentation. */
const kinds: Readonly<Record<string, RegExp>> = {
  thing: /^.{1,20}$/su,
  number: /^-?\d{1,32}(\.\d{1,31})?$/,
  letter: /^[A-Za-z]{1,32}$/,
  symbol: /^[^\p{L}\p{N}\s]{1,5}$/u,
  character_string: /^[\x20-\x7e]{1,32}$/,
  time: /^(\d{4}年\d{1,2}月\d{1,2}日 ?)?\d{1,2}:\d{2}(:\d{2})?$|^\d{4}[-/年]\d{1,2}[-/月]\d{1,2}日?/,
  date: /^\d{4}[-/年]\d{1,2}[-/月]\d{1,2}日?( ?\d{1,2}:\d{2}(:\d{2})?)?$/,
  amount: /^[¥￥$€£]?-?\d{1,10}(\.\d{1,2})?元?$/,
  phone_number: /^[\d+() -]{1,17}$/,
  car_number: /^.{1,8}$/u,
  name: /^([\p{Script=Han}·]{1,10}|[A-Za-z .'-]{1,20})$/u,
  phrase: /^\p{Script=Han}{1,5}$/u,
};
const place = /\{\{(\w{1,40})\.DATA\}\}/g;

export const templatePlaces = (content: string): string[] => [...content.matchAll(place)].map(([, name = ""]) => name);

/** Whether the value may stand in the place; a place of an unknown kind takes every text. */
export function fitsPlace(name: string, value: string): boolean {
  const kind = /^(\D+?)_?\d*$/.exec(name)?.[1] ?? name;
  return kinds[kind]?.test(value) ?? true;
}

export const fillTemplate = (content: string, values: Readonly<Record<string, string>>): string =>
  content.replaceAll(place, (_, name: string) => values[name] ?? "");
