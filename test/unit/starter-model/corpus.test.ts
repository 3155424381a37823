import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { promptOf, type Conversation } from "../../../build/starter-model/corpus/chat.ts";
import { readData } from "../../../build/starter-model/corpus/data-files.ts";
import { heldOutTasks } from "../../../build/starter-model/corpus/held-out-tasks.ts";
import { createHints, finderOf } from "../../../build/starter-model/corpus/hints.ts";
import { languages, plainForm } from "../../../build/starter-model/corpus/language.ts";
import { readings } from "../../../build/starter-model/corpus/patterns.ts";
import { Questions } from "../../../build/starter-model/corpus/questions.ts";
import { Random } from "../../../build/starter-model/corpus/random.ts";
import { Sampler, type Sample } from "../../../build/starter-model/corpus/samples.ts";
import { readKnowledge } from "../../../build/starter-model/corpus/topics.ts";
import { oneIn } from "../../../build/starter-model/corpus/topic-terms.ts";
import { thinned } from "../../../build/starter-model/corpus/typing.ts";
import { parseTemplate, renderTemplate } from "../../../server/foreign/jinja/template.ts";
import { answersAlsoRight } from "../../../build/starter-model/evaluate/also-right.ts";
import { judge } from "../../../build/starter-model/evaluate/judge.ts";
import { Encoder } from "../../../build/starter-model/tokenizer/encoder.ts";
import { learnPieces } from "../../../build/starter-model/tokenizer/learn-pieces.ts";
import { quantize } from "../../../build/starter-model/gguf/quantize.ts";

const pipeline = join(import.meta.dirname, "../../../build/starter-model");
const knowledge = readKnowledge();
const questions = new Questions(knowledge);
const hintsFor = createHints(knowledge, 1, 12);
const samplesOf = (seed: number, count: number): Sample[] => {
  const sampler = new Sampler(knowledge, questions, hintsFor, new Random(seed));
  return Array.from({ length: count }, () => sampler.sample());
};
const textOf = ({ segments }: Sample) => segments.map(({ text }) => text).join("");
const samples = samplesOf(1, 2000);

describe("the corpus of the starter model", () => {
  it("is the same for the same seed, and another one for another", () => {
    expect(samplesOf(1, 50).map(textOf)).toEqual(samples.slice(0, 50).map(textOf));
    expect(samplesOf(2, 50).map(textOf)).not.toEqual(samples.slice(0, 50).map(textOf));
  });

  it("has no question in a wording that the model is judged by", () => {
    const tasks = heldOutTasks(knowledge, questions, new Random(1), {
      facts: Infinity,
      wordings: 1,
      others: 0,
      calls: 0,
    });
    const judgedBy = new Set(tasks.map(({ conversation }) => plainForm(conversation.messages.at(-1)?.content ?? "")));
    expect(judgedBy.size).toBeGreaterThan(100);
    const asked = samples.flatMap((sample) =>
      [...textOf(sample).matchAll(/<\|im_start\|>user\n(.*?)<\|im_end\|>/gs)].map(([, text = ""]) => plainForm(text)),
    );
    expect(asked.filter((text) => judgedBy.has(text))).toEqual([]);
  });

  it("has each kind of sample, and lets the model learn only what the assistant says", () => {
    expect(new Set(samples.map(({ kind }) => kind)).size).toBe(16);
    for (const { segments } of samples)
      for (const { text, learn } of segments) expect(text.endsWith("<|im_end|>")).toBe(learn);
  });

  it("hints at topics before most questions, of which one is mostly the right one", () => {
    const facts = samples.filter(({ kind }) => kind === "fact");
    const hinted = facts.map((sample) => ({
      names: /^<\|im_start\|>system\nPerhaps: (.*)<\|im_end\|>/.exec(textOf(sample))?.[1]?.split("; "),
      answer: sample.segments.at(-1)?.text,
    }));
    const given = hinted.filter(({ names }) => names !== undefined);
    expect(given.length / facts.length).toBeGreaterThan(0.6);
    expect(given.length / facts.length).toBeLessThan(0.8);
    const places = given.map(({ names, answer }) => {
      const name = knowledge.facts.flatMap(({ en, zh }) => [en, zh]).find((side) => answer?.startsWith(side.answer))
        ?.named[0];
      return names?.indexOf(name ?? "") ?? -1;
    });
    expect(places.filter((place) => place >= 0).length / places.length).toBeGreaterThan(0.6);
    for (const { segments } of samples)
      if (textOf({ kind: "", segments }).includes("Tools:")) expect(segments[0]?.text).not.toContain("Perhaps:");
  });

  it("looks a question up by itself and without itself, as often one as the other", () => {
    const counted = knowledge.facts.flatMap(({ en }) =>
      en.asked.filter(oneIn(40)).map((wording) => ({ wording, name: en.named[0] ?? "" })),
    );
    const isFirst = ({ wording, name }: (typeof counted)[number], of?: string) =>
      hintsFor(wording, of)?.replace("Perhaps: ", "").split("; ")[0] === name;
    // Which wording a question is made of decides by which half of the wordings it is looked up.
    const wordings = counted.map(({ wording }) => wording);
    const others = [0, 1].map((half) => wordings.find((wording) => finderOf(wording) === half));
    const isTold = counted.filter((each) => new Set(others.map((of) => isFirst(each, of))).size > 1);
    const found = isTold.filter((each) => isFirst(each, each.wording));
    expect(isTold.length).toBeGreaterThan(100);
    expect(found.length / isTold.length).toBeGreaterThan(0.35);
    expect(found.length / isTold.length).toBeLessThan(0.65);
  });

  it("thins a question out to some of its words, never to nothing", () => {
    const random = new Random(4);
    for (const text of ["How do I log in?", "怎么上传头像？", "status", "登"])
      for (let count = 0; count < 50; count++) {
        const left = thinned(text, random);
        expect(left).not.toBe("");
        expect(left.length).toBeLessThanOrEqual(text.length);
        for (const word of left.match(/\p{Script=Han}|\w+/gu) ?? []) expect(text).toContain(word);
      }
  });

  it("refuses to read the questions that judge the model", () => {
    expect(() => readData("eval/independent.jsonl")).toThrow(/judges the model/);
    expect(() => readData("corpus/../eval/independent.jsonl")).toThrow(/judges the model/);
    const files = join(pipeline, "train/files.py");
    expect(readFileSync(files, "utf8")).toContain("refuse_held_back(folder)");
    const check = `
import re
source = open(${JSON.stringify(files)}, encoding="utf-8").read().split("def read_corpus")[0].replace("import numpy as np", "")
exec(source)
refuse_held_back("eval/independent.jsonl")`;
    const { status, stderr } = spawnSync("python3", ["-c", check], { encoding: "utf8" });
    expect(stderr).toContain("judges the model");
    expect(status).toBe(1);
  });

  it("counts another right answer for held-out questions alone, and none that is a question's own", () => {
    const alsoRight = answersAlsoRight(knowledge);
    const judged = knowledge.facts.flatMap((fact) =>
      languages.flatMap((language) =>
        fact[language].judgedBy.flatMap((text) =>
          alsoRight(language, text).map((parts) => ({ parts, own: fact[language].must })),
        ),
      ),
    );
    const lines = readFileSync(join(pipeline, "eval/also-right.jsonl"), "utf8").trim().split("\n");
    const listed = lines.flatMap((line) => (JSON.parse(line) as { facts: string[] }).facts);
    expect(judged.length).toBe(listed.length);
    expect(judged.filter(({ parts, own }) => parts === own)).toEqual([]);
  });

  it("writes a conversation as the chat template of the model does", () => {
    const template = parseTemplate(readFileSync(join(pipeline, "gguf/chat-template.jinja"), "utf8").trimEnd());
    const render = (variables: Readonly<Record<string, unknown>>) => renderTemplate(template, variables, 100_000);
    const tool = {
      name: "find",
      description: "Find",
      parameters: { type: "object", properties: { q: { type: "string" } } },
    };
    const call = { name: "find", arguments: { q: "茶", n: 2 } };
    const conversation: Conversation = {
      system: "Be brief.",
      tools: [tool],
      messages: [
        { role: "user", content: "Tea?" },
        { role: "assistant", content: "", calls: [call] },
        { role: "tool", content: '{"count": 3}' },
        { role: "assistant", content: "Three." },
        { role: "user", content: "Thanks" },
      ],
    };
    const rendered = render({
      messages: [
        { role: "system", content: "Be brief." },
        ...conversation.messages.map(({ calls, ...message }) => ({
          ...message,
          ...(calls && { tool_calls: calls.map((one) => ({ type: "function", function: one })) }),
        })),
      ],
      tools: [{ type: "function", function: tool }],
      add_generation_prompt: true,
    });
    expect(promptOf(conversation)).toBe(rendered);
    const short: Conversation = { messages: [{ role: "user", content: "你好" }] };
    expect(promptOf(short)).toBe(render({ ...short, add_generation_prompt: true }));
  });

  it("reads every choice of a phrasing", () => {
    expect(readings("how (do i|to) (log in|sign in)")).toEqual([
      "how do i log in",
      "how do i sign in",
      "how to log in",
      "how to sign in",
    ]);
    expect(readings("plain")).toEqual(["plain"]);
  });
});

describe("the vocabulary of the starter model", () => {
  const vocabulary = learnPieces(samples.slice(0, 300).map(textOf), 900);
  const encoder = new Encoder(vocabulary);
  const textFor = (ids: readonly number[]) => {
    const bytes = ids.flatMap((id) => {
      const { text, kind } = vocabulary[id] ?? { text: "", kind: "normal" };
      return kind === "byte" ? [Number.parseInt(text.slice(3, 5), 16)] : [...Buffer.from(text.replaceAll("▁", " "))];
    });
    return Buffer.from(bytes).toString("utf8");
  };

  it("gives back every text, also with characters that it has never seen", () => {
    for (const text of [
      "Hello  world\n",
      "状态包 access_token：3080",
      "🙂 ünknown ж",
      "<|im_start|>user\n你好<|im_end|>\n",
    ])
      expect(textFor(encoder.encode(text))).toBe(text);
  });

  it("needs fewer pieces than characters for what it was learned from", () => {
    const text = samples.slice(0, 50).map(textOf).join("\n");
    expect(encoder.encode(text).length).toBeLessThan(0.6 * text.length);
    expect(vocabulary.length).toBeLessThanOrEqual(900);
  });
});

describe("the weights of the starter model", () => {
  it("are at most half a step away in Q8_0", () => {
    const random = new Random(3);
    const weights = Float32Array.from({ length: 96 }, (_, index) => (index < 32 ? 0 : random.next() - 0.5));
    const bytes = quantize(weights);
    expect(bytes.length).toBe(3 * 34);
    for (let block = 0; block < 3; block++) {
      const bits = bytes.readUInt16LE(block * 34);
      const scale = bits === 0 ? 0 : 2 ** ((bits >> 10) - 15) * (1 + (bits & 1023) / 1024);
      for (let index = 0; index < 32; index++) {
        const error = bytes.readInt8(block * 34 + 2 + index) * scale - (weights[block * 32 + index] ?? 0);
        // A step and a half of the scale's own rounding, which is 1 in 2048.
        expect(Math.abs(error)).toBeLessThanOrEqual(scale * (0.5 + 127 / 2048));
      }
    }
  });
});

describe("a judge of the starter model", () => {
  const refusal = "I am only the starter model. Pull a larger one: hearth pull MODEL";

  it("calls an answer right, refused or wrong", () => {
    const expected = { parts: ["3080", "127.0.0.1"] };
    const verdict = (text: string) => judge(expected, "en", { text, calls: [] });
    expect(verdict("It is 127.0.0.1:3080.")).toBe("right");
    expect(verdict("It is 127.0.0.1:3081.")).toBe("wrong");
    expect(verdict(refusal)).toBe("refused");
  });

  it("takes calls and JSON by what they hold, in whatever order", () => {
    const call = { name: "add", arguments: { a: 1, b: "x" } };
    const given = (calls: (typeof call)[]) => judge({ call }, "en", { text: "", calls });
    expect(given([{ name: "add", arguments: { b: "x", a: 1 } }])).toBe("right");
    expect(given([{ name: "add", arguments: { a: 2, b: "x" } }])).toBe("wrong");
    expect(given([call, call])).toBe("wrong");
    expect(judge({ json: { a: 1 } }, "en", { text: '{ "a":1 }', calls: [] })).toBe("right");
    expect(judge({ json: { a: 1 } }, "en", { text: '{"a":', calls: [] })).toBe("wrong");
  });
});
