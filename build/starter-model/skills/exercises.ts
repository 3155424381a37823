/** Small exercises: upper case, counting, sums, copying, names, and the product's terms in the other language. */
import { z } from "zod";
import { readData } from "../corpus/data-files.ts";
import type { Language } from "../corpus/language.ts";
import type { Random } from "../corpus/random.ts";
import { askedOnly, fill, type Task, type Templates } from "./task.ts";
import { inventedName, phrase, valueOf } from "./values.ts";

const terms = z
  .array(z.strictObject({ en: z.string(), zh: z.string() }))
  .parse(JSON.parse(readData("skills/terms.json")));

type Exercise = (language: Language, random: Random, held: boolean) => Task;

const ask = (templates: Templates, held: boolean, random: Random) =>
  random.pick(held ? templates.judgedBy : templates.asked);

/** An exercise whose answer is one text. */
function exercise(
  kind: string,
  templates: Record<Language, Templates>,
  make: (language: Language, random: Random) => { values: Readonly<Record<string, string>>; answer: string },
): Exercise {
  return (language, random, held) => {
    const { values, answer } = make(language, random);
    const question = fill(ask(templates[language], held, random), values);
    return { kind, language, conversation: askedOnly(question), answer, expected: { text: answer } };
  };
}

const upperCase = exercise(
  "upper case",
  {
    en: {
      asked: [
        "write {text} in upper case",
        "uppercase: {text}",
        "{text} in capital letters",
        'make "{text}" upper case',
        "convert {text} to uppercase",
        "shout: {text}",
        "all caps: {text}",
      ],
      judgedBy: ["capitalize all letters of {text}"],
    },
    zh: {
      asked: ["把 {text} 变成大写", "{text} 的大写", "大写：{text}", "将 {text} 转换为大写", "全部大写：{text}"],
      judgedBy: ["用大写字母写出 {text}"],
    },
  },
  (_, random) => {
    const words = Array.from({ length: random.between(1, 3) }, () =>
      String(valueOf("word", "en", random)).toLowerCase(),
    );
    return { values: { text: words.join(" ") }, answer: words.join(" ").toUpperCase() };
  },
);

const counting = exercise(
  "counting",
  {
    en: {
      asked: [
        "count: {list}",
        "how many items: {list}",
        "how many things are in this list: {list}",
        "count the items {list}",
        "{list}: how many are these?",
      ],
      judgedBy: ["number of entries here: {list}"],
    },
    zh: {
      asked: ["数一数：{list}", "有几个：{list}", "这个列表有几样东西：{list}", "{list}，一共几个？"],
      judgedBy: ["下面一共几项：{list}"],
    },
  },
  (language, random) => {
    const count = random.between(1, 10);
    const items = Array.from({ length: count }, () => String(valueOf("thing", language, random)));
    return { values: { list: items.join(language === "en" ? ", " : "、") }, answer: String(count) };
  },
);

const countUp = exercise(
  "counting to",
  {
    en: {
      asked: ["count to {last}", "count from 1 to {last}", "please count up to {last}", "numbers from 1 to {last}"],
      judgedBy: ["say the numbers until {last}"],
    },
    zh: {
      asked: ["数到 {last}", "从 1 数到 {last}", "请数到 {last}", "1 到 {last} 的数字"],
      judgedBy: ["把 1 到 {last} 念一遍"],
    },
  },
  (_, random) => {
    const last = random.between(2, 10);
    return { values: { last: String(last) }, answer: Array.from({ length: last }, (_, index) => index + 1).join(", ") };
  },
);

const sums = exercise(
  "sums",
  {
    en: {
      asked: [
        "what is {a} + {b}",
        "{a} + {b}",
        "{a}+{b}",
        "{a} plus {b}",
        "how much is {a} + {b}?",
        "calculate {a} + {b}",
        "add {a} and {b}",
        "sum of {a} and {b}",
        "{a} and {b} together",
      ],
      judgedBy: ["the sum of {a} and {b} is?"],
    },
    zh: {
      asked: [
        "{a} + {b} 等于多少",
        "{a}+{b}=?",
        "{a} 加 {b}",
        "计算 {a} + {b}",
        "{a} 加 {b} 是多少？",
        "{a} 和 {b} 的和",
        "{a} 与 {b} 加起来",
      ],
      judgedBy: ["{a} 与 {b} 相加得几"],
    },
  },
  (_, random) => {
    const [a, b] = [random.below(20), random.below(20)];
    return { values: { a: String(a), b: String(b) }, answer: `${a} + ${b} = ${a + b}` };
  },
);

const repeating = exercise(
  "repeating",
  {
    en: {
      asked: [
        "repeat: {text}",
        "say exactly: {text}",
        "repeat after me: {text}",
        "write this again: {text}",
        "copy: {text}",
        'say "{text}"',
      ],
      judgedBy: ["echo this: {text}"],
    },
    zh: {
      asked: ["重复：{text}", "请照样说：{text}", "跟我说：{text}", "原样写出：{text}", "复制：{text}"],
      judgedBy: ["把这个再写一遍：{text}"],
    },
  },
  (language, random) => {
    const text = random.chance(0.2)
      ? String(valueOf("id", language, random))
      : phrase(language, random, random.between(1, 8));
    return { values: { text }, answer: text };
  },
);

const translating = exercise(
  "terms",
  {
    en: {
      asked: [
        "what is {from} in {to}",
        "translate {from}",
        "{from} in {to}",
        "how do you say {from} in {to}",
        "the {to} word for {from}",
        "translate the term {from} into {to}",
      ],
      judgedBy: ["{from}, as a {to} term?"],
    },
    zh: {
      asked: ["{from} 用{to}怎么说", "翻译：{from}", "{from} 的{to}", "{from} 的{to}是什么", "把 {from} 翻译成{to}"],
      judgedBy: ["术语 {from}，{to}是？"],
    },
  },
  (language, random) => {
    const term = random.pick(terms);
    return language === "en"
      ? { values: { from: `"${term.en}"`, to: "Chinese" }, answer: term.zh }
      : { values: { from: `“${term.zh}”`, to: "英文" }, answer: term.en };
  },
);

const introductions = {
  en: [
    "my name is {name}",
    "I am {name}",
    "call me {name}",
    "hi, I'm {name}",
    "hello, my name is {name}",
    "this is {name} speaking",
    "{name} here",
  ],
  zh: ["我叫{name}", "我是{name}", "我的名字是{name}", "你好，我叫{name}", "叫我{name}就好"],
};
const nameQuestions: Record<Language, Templates> = {
  en: {
    asked: [
      "what is my name?",
      "who am i",
      "do you remember my name",
      "what's my name",
      "tell me my name",
      "how am i called",
      "say my name",
      "do you know my name?",
    ],
    judgedBy: ["do you still know how i am called?"],
  },
  zh: {
    asked: [
      "我叫什么",
      "我是谁",
      "你记得我的名字吗",
      "我的名字是什么",
      "说出我的名字",
      "我叫什么名字",
      "你知道我的名字吗",
    ],
    judgedBy: ["还记得我叫什么吗"],
  },
};

/** A name that is told first and asked for later. */
const names: Exercise = (language, random, held) => {
  const name = random.chance(0.5) ? inventedName(language, random) : String(valueOf("person", language, random));
  const [hello, yours] =
    language === "en"
      ? [`Nice to meet you, ${name}!`, `Your name is ${name}.`]
      : [`很高兴认识你，${name}！`, `你叫${name}。`];
  return {
    kind: "names",
    language,
    conversation: {
      messages: [
        { role: "user", content: fill(random.pick(introductions[language]), { name }) },
        { role: "assistant", content: hello },
        { role: "user", content: ask(nameQuestions[language], held, random) },
      ],
    },
    answer: yours,
    expected: { text: yours },
  };
};

export const exercises = { upperCase, counting, countUp, sums, repeating, translating, names };
