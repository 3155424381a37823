/** JSON out of a text, by fields or by a schema. */
import { spacedJson, type Json } from "../corpus/chat.ts";
import type { Language } from "../corpus/language.ts";
import type { Random } from "../corpus/random.ts";
import { askedOnly, fill, type Task, type Templates } from "./task.ts";
import { valueOf } from "./values.ts";

interface Field {
  readonly kind: string;
  readonly type: "string" | "integer";
}
const fields: Readonly<Record<string, Field>> = {
  name: { kind: "person", type: "string" },
  age: { kind: "age", type: "integer" },
  city: { kind: "city", type: "string" },
  item: { kind: "thing", type: "string" },
  price: { kind: "number", type: "integer" },
  count: { kind: "count", type: "integer" },
  order: { kind: "id", type: "string" },
  state: { kind: "state", type: "string" },
  day: { kind: "day", type: "string" },
  time: { kind: "time", type: "string" },
  file: { kind: "path", type: "string" },
};

const sentences: readonly { fields: readonly string[]; en: readonly string[]; zh: readonly string[] }[] = [
  {
    fields: ["name", "age"],
    en: [
      "{name} is {age} years old.",
      "My friend {name} turned {age}.",
      "{name}, {age}",
      "I am {name} and I am {age}.",
      "At {age}, {name} is still young.",
    ],
    zh: ["{name}今年{age}岁。", "我叫{name}，{age}岁。", "{name}，{age}岁", "我的朋友{name}刚满{age}岁。"],
  },
  {
    fields: ["name", "city"],
    en: ["{name} lives in {city}.", "{name} comes from {city}.", "{name} moved to {city}.", "In {city} I met {name}."],
    zh: ["{name}住在{city}。", "{name}来自{city}。", "{name}搬到了{city}。", "我在{city}遇到了{name}。"],
  },
  {
    fields: ["item", "price"],
    en: [
      "The {item} costs {price} dollars.",
      "A {item} for {price}.",
      "I paid {price} for the {item}.",
      "{item}: {price}",
    ],
    zh: ["{item}的价格是{price}元。", "一个{item}卖{price}元。", "{item}花了我{price}元。", "{item}：{price}"],
  },
  {
    fields: ["item", "count"],
    en: [
      "I bought {count} of the {item}.",
      "There are {count} pieces of {item}.",
      "Order: {item}, {count} pieces",
      "{count} x {item}",
    ],
    zh: ["我买了{count}个{item}。", "一共有{count}个{item}。", "{item} {count} 个"],
  },
  {
    fields: ["name", "age", "city"],
    en: ["{name} is {age} and lives in {city}.", "{name}, {age}, {city}", "From {city}: {name}, aged {age}."],
    zh: ["{name}，{age}岁，住在{city}。", "{city}的{name}今年{age}岁。"],
  },
  {
    fields: ["name", "item"],
    en: ["{name} bought a {item}.", "{name} has a {item}.", "The {item} belongs to {name}."],
    zh: ["{name}买了{item}。", "{name}有一个{item}。", "这个{item}是{name}的。"],
  },
  {
    fields: ["order", "state"],
    en: ["Order {order} is {state}.", "The state of {order} is {state}.", "{order}: {state}"],
    zh: ["订单 {order} 的状态是 {state}。", "{order} 现在是 {state}。", "{order}：{state}"],
  },
  {
    fields: ["order", "price"],
    en: ["Order {order} over {price} fen.", "{price} fen were paid for {order}.", "{order} costs {price}."],
    zh: ["订单 {order} 共 {price} 分。", "{order} 付了 {price} 分。"],
  },
  {
    fields: ["name", "day", "time"],
    en: ["Meet {name} on {day} at {time}.", "{name} comes {day}, {time}.", "Appointment: {name}, {day}, {time}"],
    zh: ["{day}{time}和{name}见面。", "{name}{day}{time}来。", "预约：{name}，{day}，{time}"],
  },
  {
    fields: ["file", "name"],
    en: ["{name} changed {file}.", "{file} was written by {name}."],
    zh: ["{name}修改了 {file}。", "{file} 是{name}写的。"],
  },
];

const asks: Record<Language, Templates> = {
  en: {
    asked: [
      "Answer as JSON with fields {fields}: {text}",
      "Extract {fields} as JSON: {text}",
      "{text} Answer as JSON with the fields {fields}.",
      "Give me JSON with {fields}: {text}",
      "JSON please ({fields}). {text}",
      "From this text take {fields} and write JSON.\n{text}",
      "Text: {text}\nFields: {fields}\nJSON:",
      "read out {fields} of: {text} (json)",
    ],
    judgedBy: ["Turn this into JSON (fields {fields}): {text}"],
  },
  zh: {
    asked: [
      "以 JSON 回答，字段为 {fields}：{text}",
      "提取 {fields}，输出 JSON：{text}",
      "{text}请用 JSON 回答，字段 {fields}。",
      "给我 JSON（{fields}）：{text}",
      "从下面的文字里取出 {fields}，写成 JSON。\n{text}",
      "文字：{text}\n字段：{fields}\nJSON：",
    ],
    judgedBy: ["把这句话转成 JSON（字段 {fields}）：{text}"],
  },
};

const schemaAsks = {
  en: ["Answer by this JSON Schema: {schema}\n{text}", "{text}\nJSON Schema: {schema}"],
  zh: ["按这个 JSON Schema 回答：{schema}\n{text}", "{text}\nJSON Schema：{schema}"],
};

export function extractionTask(language: Language, random: Random, held: boolean): Task {
  const sentence = random.pick(sentences);
  const values = Object.fromEntries(
    sentence.fields.map((name) => [name, valueOf(fields[name]?.kind ?? "", language, random)]),
  );
  const text = fill(random.pick(sentence[language]), values);
  const names = random.chance(0.3) ? random.sample(sentence.fields, 3) : sentence.fields;
  const json = Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));
  const listed = language === "zh" ? names.join("、") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const schema: Json = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: fields[name]?.type ?? "string" }])),
    required: names,
  };
  const bySchema = !held && random.chance(0.15);
  const template = random.pick(bySchema ? schemaAsks[language] : held ? asks[language].judgedBy : asks[language].asked);
  const asked = fill(template, { fields: listed, text, schema: spacedJson(schema) });
  return {
    kind: "json",
    language,
    conversation: askedOnly(asked),
    answer: spacedJson(json),
    expected: { json },
    schema,
  };
}
