/** Texts of the `format` keyword that a grammar can guarantee. Other formats are annotations, as JSON Schema has it. */
const [year, month, day] = ["[0-9]{4}", '("0" [1-9] | "1" [0-2])', '("0" [1-9] | "1" [0-9] | "2" [0-8])'];
const date = `${year} "-" ${month} "-" ${day}`;
const time = '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{1,6})?';
const hex = (count: number) => `[0-9a-f]{${String(count)}}`;
const byte = '("25" [0-5] | "2" [0-4] [0-9] | "1" [0-9] [0-9] | [1-9]? [0-9])';
const label = "[a-z0-9] ([a-z0-9-]{0,30} [a-z0-9])?";
const host = `${label} ("." ${label}){0,4} "." [a-z]{2,10}`;

/** Bodies of rules. Days stop at 28, so that every date exists; addresses are narrower than their standards. */
export const stringFormats: Readonly<Record<string, string>> = {
  date,
  time: `${time} "Z"`,
  "date-time": `${date} "T" ${time} "Z"`,
  uuid: `${hex(8)} "-" ${hex(4)} "-4" ${hex(3)} "-" [89ab] ${hex(3)} "-" ${hex(12)}`,
  email: `[a-zA-Z0-9_+-]{1,30} ("." [a-zA-Z0-9_+-]{1,30}){0,3} "@" ${host}`,
  ipv4: `${byte} "." ${byte} "." ${byte} "." ${byte}`,
  hostname: host,
  uri: `[a-z] [a-z0-9+.-]{1,15} "://" ${host} ("/" [a-zA-Z0-9._~-]{0,60}){0,8}`,
};
