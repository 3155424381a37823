/** What the service does for its small starter model, over an engine that says how likely its tokens are: hints before questions, refusals in the place of answers of which it is not sure. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { weatherTool } from "../support/model/family-templates.ts";
import { lines, startModelService, textOf, type ModelService, type Wire } from "../support/model/model-service.ts";
import { createScriptedEngine, gate, type Step } from "../support/model/scripted-engine.ts";
import { far, starterWithTopics, sure, talk, vague } from "../support/model/starter-topics.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const engine = createScriptedEngine();
const folder = temporaryFolder();
const starterFile = starterWithTopics(folder.path);
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, { starterFile, starterConfidence: 0.7, files: { "other.gguf": {} } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const words = (count: number, probability: number): Step[] =>
  Array.from({ length: count }, (_, index) => ({ text: `word${String(index)} `, probability }));
/** Sure of eleven tokens, and then not. */
const unsure: Step[] = [...words(11, 0.99), { text: "beside", probability: 0.5 }, ...words(30, 0.99)];

const textFrom = (steps: readonly Step[]) =>
  steps.map((step) => (typeof step === "object" && "text" in step ? step.text : "")).join("");

const ask = (content: string, more: object = {}, at = service) =>
  at.post("/api/chat", { model: "hearth-starter", messages: [{ role: "user", content }], ...more });
const whole = async (content: string, more: object = {}, at = service): Promise<Wire> =>
  (await ask(content, { stream: false, ...more }, at)).json();
const isRefused = ({ suggestions }: Wire) => suggestions !== undefined;

describe("a chat with the starter model", () => {
  it("is refused where the model is not sure, with the nearest questions that it knows, and none of its answer", async () => {
    engine.steps = unsure;
    const all = await lines(await ask(vague.en));
    const text = textOf(all);
    expect(text).toContain("hearth pull MODEL");
    expect(text).not.toMatch(/word|beside/);
    const { suggestions } = all.find(isRefused);
    expect(suggestions).toHaveLength(3);
    expect(suggestions).toContain("How do I upload an avatar?");
    for (const question of suggestions) expect(text).toContain(`\n- ${String(question)}`);
    expect(all.at(-1)).toMatchObject({ done: true, done_reason: "stop", eval_count: 12, message: { content: "" } });
  });

  it("is refused in Chinese where it is Chinese", async () => {
    engine.steps = unsure;
    const { message, suggestions } = await whole(vague.zh);
    expect(message.content).toContain("入门模型");
    expect(suggestions).toContain("怎么上传头像？");
  });

  it("offers questions also where none is near", async () => {
    engine.steps = unsure;
    expect((await whole(far)).suggestions).toHaveLength(3);
  });

  it("is refused at the first token that makes it unlikely, and the model stops there", async () => {
    engine.steps = [{ text: "no", probability: 0.1 }, { wait: true }];
    expect(await whole(vague.en)).toMatchObject({ suggestions: { length: 3 }, eval_count: 1 });
  });

  it("streams an answer from when its twelfth token was likely enough", async () => {
    const { opened, open } = gate();
    engine.steps = [...words(12, 0.99), { until: opened }, "the end"];
    const reply = await ask("What is Hearth?");
    // Comes while the thirteenth token is being waited for.
    expect(reply.status).toBe(200);
    open();
    const all = await lines(reply);
    expect(textOf(all)).toMatch(/^word0 .*word11 the end$/);
    expect(all.some(isRefused)).toBe(false);
    expect(all.every(({ logprobs }) => logprobs === undefined)).toBe(true);
  });

  it("passes on what it is half sure of where that is what the nearest topic's answer says, and refuses anything else", async () => {
    const asked = vague.en;
    const said = "POST /api/avatars as multipart with the part Avatar: and so on, and on";
    const pieces = (text: string): Step[] =>
      (text.match(/\S+\s*/g) ?? []).map((piece) => ({ text: piece, probability: 0.95 }));
    engine.steps = pieces(said);
    expect((await whole(asked)).message.content).toBe(said);
    engine.steps = pieces(said.replace("multipart", "JSON, and"));
    expect(await whole(asked)).toMatchObject({ suggestions: { length: 3 } });
    // Twice as unsure.
    engine.steps = pieces(said).map((step) => ({ ...(step as { text: string }), probability: 0.85 }));
    expect(await whole(asked)).toMatchObject({ suggestions: { length: 3 } });
  });

  it("is refused where the answer is about a topic that the look-up finds unlikely, unless it is a short one or stands behind another", async () => {
    const said = "3080, 3081 and 11434: one for each service of Hearth, in this order, since the first version";
    engine.steps = said.split(/(?<= )/).map((text) => ({ text, probability: 1 }));
    for (const question of [far, vague.en]) expect(await whole(question)).toMatchObject({ suggestions: { length: 3 } });
    const messages = [
      { role: "user", content: "Thanks" },
      { role: "assistant", content: "You are welcome." },
      { role: "user", content: far },
    ];
    expect((await whole("", { messages })).message.content).toBe(said);
    engine.steps = [{ text: "3080", probability: 1 }];
    expect((await whole(far)).message.content).toBe("3080");
    engine.steps = said.split(/(?<= )/).map((text) => ({ text, probability: 1 }));
    expect((await whole("Which port?")).message.content).toBe(said);
  });

  it("passes a short answer on that is likely to its end", async () => {
    engine.steps = words(3, 0.95);
    expect((await whole("Thanks")).message.content).toBe("word0 word1 word2 ");
  });

  it("has log probabilities where the client asks for them", async () => {
    engine.steps = words(3, 0.95);
    expect((await whole("Thanks", { logprobs: true })).logprobs).toHaveLength(3);
  });

  it("is refused at OpenAI's API with the questions as text", async () => {
    engine.steps = unsure;
    const messages = [{ role: "user", content: vague.en }];
    const reply = await service.post("/v1/chat/completions", { model: "hearth-starter", messages, temperature: 0 });
    const { choices, usage }: Wire = await reply.json();
    expect(choices[0].message.content).toContain("- How do I upload an avatar?");
    expect(usage.completion_tokens).toBe(12);
  });

  it("is refused within the request's limit of tokens and up to its stop text, as it would be answered", async () => {
    engine.steps = unsure;
    engine.countTokens = (text) => text.length;
    const { message: all } = await whole(vague.en);
    const cut = await whole(vague.en, { options: { num_predict: 20 } });
    expect([cut.message.content, cut.done_reason]).toEqual([all.content.slice(0, 20), "length"]);
    expect(cut.suggestions).toHaveLength(3);
    const messages = [{ role: "user", content: vague.en }];
    const request = { model: "hearth-starter", messages, temperature: 0, max_tokens: 5_000 };
    const ended: Wire = await (
      await service.post("/v1/chat/completions", { ...request, stop: [" model", "sure"] })
    ).json();
    expect(ended.choices[0]).toMatchObject({ message: { content: "I am not " }, finish_reason: "stop" });
    const claude: Wire = await (await service.post("/v1/messages", { ...request, stop_sequences: ["sure"] })).json();
    expect(claude).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "sure" });
  });
});

describe("a question of which the look-up is sure", () => {
  /** Unsure of what the user asks, sure of the question that it knows. */
  const stepsFor = (prompt: string) => (prompt.includes("How do I upload an avatar?") ? words(20, 0.4) : unsure);

  it("is asked in the words that the model knows, where it is not sure of the user's, without the chat before", async () => {
    engine.steps = stepsFor;
    const messages = [
      { role: "user", content: "Thanks" },
      { role: "assistant", content: "You are welcome." },
      { role: "user", content: sure },
    ];
    const answered = await whole("", { messages });
    expect(answered).toMatchObject({ message: { content: textFrom(words(20, 0.4)) }, eval_count: 20 });
    expect(answered.suggestions).toBeUndefined();
    expect(engine.requests.at(-1)?.prompt).not.toContain("welcome");
  });

  it("is asked in the words that the model knows, where it is sure of another topic's answer", async () => {
    const said = "3080, 3081 and 11434: one for each service of Hearth, in this order, since the first version";
    engine.steps = (prompt) =>
      prompt.includes(sure) ? said.split(/(?<= )/).map((text) => ({ text, probability: 1 })) : words(20, 0.99);
    expect((await whole(sure)).message.content).toBe(textFrom(words(20, 0.99)));
  });

  it("is asked in the words that the model knows, where it is small talk, but not behind an answer: it may be about that", async () => {
    engine.steps = (prompt) => (prompt.includes("please speak chinese") ? words(20, 0.99) : unsure);
    expect(await whole(talk)).toMatchObject({ message: { content: textFrom(words(20, 0.99)) } });
    const messages = [
      { role: "user", content: sure },
      { role: "assistant", content: "POST /api/avatars" },
      { role: "user", content: talk },
    ];
    expect(isRefused(await whole("", { messages }))).toBe(true);
  });

  it("is answered as it was asked, where the model is sure", async () => {
    engine.steps = (prompt) => (prompt.includes(sure) ? words(3, 0.99) : unsure);
    expect((await whole(sure)).message.content).toBe(textFrom(words(3, 0.99)));
  });

  it("is not asked anew while answers are let through as they are", async () => {
    await using lenient = await startModelService(engine, { starterFile, starterConfidence: 0 });
    engine.steps = stepsFor;
    expect((await whole(sure, {}, lenient)).message.content).toBe(textFrom(unsure));
  });

  it("is given up while it is asked anew, when the client leaves", async () => {
    engine.steps = (prompt) =>
      prompt.includes("How do I upload an avatar?") ? [...words(3, 0.99), { wait: true }] : unsure;
    const leaving = new AbortController();
    const reply = await service.post(
      "/api/chat",
      { model: "hearth-starter", messages: [{ role: "user", content: sure }] },
      { signal: leaving.signal },
    );
    await reply.body?.getReader().read();
    leaving.abort();
    const isAskedAnew = ({ prompt }: { prompt: string }) => prompt.includes("How do I upload an avatar?");
    await expect.poll(() => engine.aborted.some(isAskedAnew)).toBe(true);
  });
});

describe("the starter model is told which topics are near", () => {
  const promptFor = async (content: string, more: object = {}): Promise<string> => {
    engine.steps = words(3, 0.95);
    await whole(content, more);
    return engine.requests.at(-1)?.prompt ?? "";
  };

  it("to a question, in its language", async () => {
    const english = await promptFor(vague.en);
    expect(english).toMatch(
      /^<\|im_start\|>system\nPerhaps: uploading an avatar; downloading an upload<\|im_end\|>\n<\|im_start\|>user\nA photo/,
    );
    expect(await promptFor(vague.zh)).toMatch(/^<\|im_start\|>system\nPerhaps: [^\n]*上传头像/);
  });

  it("to the last question of a chat, before all of it", async () => {
    const messages = [
      { role: "user", content: "Thanks" },
      { role: "assistant", content: "You are welcome." },
      { role: "user", content: vague.en },
    ];
    expect(await promptFor("", { messages })).toMatch(/^<\|im_start\|>system\nPerhaps: [^\n]*uploading an avatar/);
  });

  it("unless none is", async () => {
    expect(await promptFor(far)).toMatch(/^<\|im_start\|>user\nzzz/);
  });

  it.each([
    [
      "instructions of the client's own",
      {
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Avatar?" },
        ],
      },
    ],
    ["tools", { tools: [{ type: "function", function: weatherTool }] }],
    ["a format", { format: { type: "object" } }],
    ["another model", { model: "other" }],
  ])("and not with %s", async (_, more) => {
    expect(await promptFor("Avatar?", more)).not.toContain("Perhaps:");
  });
});

describe("an answer is let through, however unlikely", () => {
  const format = { type: "object" };
  it.each([
    ["with tools", { tools: [{ type: "function", function: weatherTool }] }],
    ["in a format", { format }],
    [
      "with instructions",
      {
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Hi" },
        ],
      },
    ],
    ["that is drawn", { options: { temperature: 0.5 } }],
    ["of another model", { model: "other" }],
  ])("%s", async (_, more) => {
    engine.steps = unsure;
    const { message, suggestions } = await whole("Hi", more);
    expect(message.content).toContain("beside");
    expect(suggestions).toBeUndefined();
  });

  it("without a limit of confidence", async () => {
    await using lenient = await startModelService(engine, { starterConfidence: 0 });
    engine.steps = unsure;
    expect((await whole("Hi", {}, lenient)).message.content).toContain("beside");
  });
});
