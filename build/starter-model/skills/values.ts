/** Values to be copied: many words and names, and invented ones, so that copying is learned instead of a list. */
import { z } from "zod";
import { readData } from "../corpus/data-files.ts";
import type { Language } from "../corpus/language.ts";
import type { Random } from "../corpus/random.ts";

/** A value that a template or an argument can have. */
export type Scalar = string | number | boolean;

const listSchema = z.strictObject({ en: z.array(z.string()), zh: z.array(z.string()) });
const lists = z.record(z.string(), listSchema).parse(JSON.parse(readData("skills/values.json")));
const openWords = z
  .strictObject({ en: z.record(z.string(), z.array(z.string())), zh: z.record(z.string(), z.array(z.string())) })
  .parse(JSON.parse(readData("open-domain/words.json")));
const everyWord = { en: Object.values(openWords.en).flat(), zh: Object.values(openWords.zh).flat() };

const syllables =
  "ka lo mi ren tor vel shi pan dra mo zu fen gar li sta ber nok wa que rin ul ta po hex jin ba sor ny cle gru".split(
    " ",
  );
const characters = [
  ..."云山石林风海光明天星雪龙江木火金玉花月青白红黑大小长安宁华文武英杰秀梅兰竹菊春夏秋冬东西南北王李张刘陈杨赵黄周吴",
];

/** A name that nobody has: it must not look like a fact about Hearth. */
export function inventedName(language: Language, random: Random): string {
  if (language === "zh") return random.sample(characters, random.between(2, 3)).join("");
  const name = random.sample(syllables, random.between(2, 4)).join("");
  return random.chance(0.6) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

const alphabet = [..."ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"];
function id(random: Random): string {
  if (random.chance(0.3)) return random.sample(alphabet, random.between(4, 10)).join("");
  return random.pick(["A", "B", "H", "ORD-", "T", "", "NO", "x-", "order_"]) + String(random.between(10, 9_999_999));
}

function number(random: Random): number {
  return random.between(1, random.pick([9, 99, 999, 9999, 99_999]));
}

const clock = (random: Random) =>
  `${String(random.between(0, 23)).padStart(2, "0")}:${random.pick(["00", "15", "30", "45", String(random.between(10, 59))])}`;

function path(random: Random): string {
  const name = random.chance(0.4) ? inventedName("en", random) : random.pick(lists["word"]?.en ?? []);
  const folder = random.pick(["", "/tmp/", "docs/", "src/", "/home/me/", "C:/data/", "./", "/var/log/", "test/unit/"]);
  return folder + name + random.pick([".txt", ".md", ".json", ".ts", ".log", ".csv", ".png", ".html", ""]);
}

/** A few words in a row, of all kinds. */
export function phrase(language: Language, random: Random, words = random.between(2, 7)): string {
  const word = () => {
    const draw = random.next();
    if (draw < 0.25) return inventedName(language, random);
    if (draw < 0.35) return String(number(random));
    return draw < 0.7 ? random.pick(everyWord[language]) : random.pick(lists["word"]?.[language] ?? []);
  };
  return Array.from({ length: words }, word).join(language === "en" || random.chance(0.4) ? " " : "");
}

/**
 * A value of a kind: those of values.json, and `id`, `path`, `number`, `minutes`, `people`, `count`, `temperature`, `time`, `true`.
 * @throws RangeError for another kind
 */
export function valueOf(kind: string, language: Language, random: Random): Scalar {
  switch (kind) {
    case "id":
      return id(random);
    case "path":
      return path(random);
    case "number":
      return number(random);
    case "minutes":
      return random.between(1, 90);
    case "people":
      return random.between(2, 12);
    case "count":
      return random.between(0, 40);
    case "age":
      return random.between(3, 99);
    case "temperature":
      return random.between(-9, 38);
    case "time":
      return clock(random);
    case "true":
      return true;
    case "closed":
      return "CLOSED";
    default: {
      const list = lists[kind]?.[language];
      if (list === undefined) throw new RangeError(`no values are called ${kind}`);
      const invents = ["city", "person", "word"].includes(kind) && random.chance(0.35);
      if (invents) return inventedName(language, random);
      return kind === "sentence" && random.chance(0.4) ? phrase(language, random) : random.pick(list);
    }
  }
}
