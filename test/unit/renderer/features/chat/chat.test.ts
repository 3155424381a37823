import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { begin, common, last, line, modelService, token } from "../../../../support/console/chat-scene.ts";
import { isStarterRefusal } from "../../../../../renderer/features/chat/starter-model.ts";

describe("A conversation", () => {
  it("streams the answer, shows its figures, and sends the whole conversation with the next question", async () => {
    const bodies: unknown[] = [];
    const { chat } = await modelService((req, res) => {
      let body = "";
      req.setEncoding("utf8").on("data", (part: string) => (body += part));
      req.on("end", () => {
        bodies.push(JSON.parse(body));
        res.write(token("Hel"));
        res.end(token("lo") + last);
      });
    });
    const talk = begin(chat);
    await talk.say("Hi");
    expect(talk.isStreaming()).toBe(false);
    expect(talk.turns()).toEqual([
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: "Hello",
        model: "tiny:1b",
        metrics: { tokens: 20, tokensPerSecond: 10, firstTokenMs: 150 },
      },
    ]);
    await talk.say("Again");
    expect(bodies[1]).toEqual({
      model: "tiny:1b",
      stream: true,
      progress: true,
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "Again" },
      ],
    });
  });

  it("has the questions that the starter model offers apart from the text, which lists them for others", async () => {
    const suggestions = ["How do I log in?", "How do I log out?"];
    const offer = { role: "assistant", content: "\n\n- How do I log in?\n- How do I log out?" };
    const { chat } = await modelService((_req, res) =>
      res.end(token("I am not sure.") + line({ ...common, message: offer, done: false, suggestions }) + last),
    );
    const talk = begin(chat);
    await talk.say("logging?");
    expect(talk.turns().at(-1)).toMatchObject({ content: "I am not sure.", suggestions });
  });

  it("has refused as the starter model where it names the pull of a larger one, or offers questions", () => {
    const content = "这我不知道。请拉取更大的模型：hearth pull MODEL";
    const turn = (model: string, more: object = {}) => ({ role: "assistant" as const, model, content, ...more });
    expect(isStarterRefusal(turn("hearth-starter:latest"))).toBe(true);
    expect(isStarterRefusal(turn("copy:latest", { content: "?", suggestions: ["How do I log in?"] }))).toBe(true);
    expect(isStarterRefusal(turn("llama3.2:1b"))).toBe(false);
    expect(isStarterRefusal(turn("hearth-starter:latest", { content: "Hi" }))).toBe(false);
  });

  it("keeps what came when the stream breaks with an error line, shows its text, and asks again on demand", async () => {
    let asked = 0;
    const { chat } = await modelService((_req, res) => {
      asked += 1;
      if (asked === 1) res.end(token("Half") + line({ error: "the runner stopped" }));
      else res.end(token("Whole") + last);
    });
    const talk = begin(chat);
    await talk.say("Hi");
    expect(talk.error()).toBe("the runner stopped");
    expect(talk.turns().at(-1)?.content).toBe("Half");
    await talk.chats.ask(talk.id, "tiny:1b", 1, []);
    expect(talk.error()).toBeUndefined();
    expect(talk.turns().map(({ content }) => content)).toEqual(["Hi", "Whole"]);
  });

  it.each([
    [503, { Message: "The model service is down." }, "The model service is down."],
    [404, { error: "model 'x' not found" }, "model 'x' not found"],
  ])("shows the sentence of a refusal (%i) and keeps the question", async (status, body, sentence) => {
    const { chat } = await modelService((_req, res) => void res.writeHead(status).end(JSON.stringify(body)));
    const talk = begin(chat);
    await talk.say("Hi");
    expect([talk.error(), talk.turns()]).toEqual([sentence, [{ role: "user", content: "Hi" }]]);
  });

  it("shows what it waits for before the first word, and stops in each phase", async () => {
    let reply: ServerResponse | undefined;
    let closed = 0;
    const { chat } = await modelService((_req, res) => {
      reply = res.on("close", () => (closed += 1));
    });
    const report = (progress: object) =>
      reply?.write(line({ ...common, message: { role: "assistant", content: "" }, done: false, ...progress }));
    const talk = begin(chat);
    const ends = async (said: Promise<void>) => {
      talk.chats.stop(talk.id);
      await said;
      await expect.poll(() => closed).toBeGreaterThan(0);
      expect([talk.isStreaming(), talk.error(), closed]).toEqual([false, undefined, 1]);
      expect(talk.turns().at(-1)).toMatchObject({ role: "assistant", content: "", ended: "stopped" });
      [reply, closed] = [undefined, 0];
    };
    const waits = (wait: object) => expect.poll(talk.wait).toMatchObject(wait);
    const first = talk.say("Hi");
    await waits({ for: "model" });
    await expect.poll(() => reply).toBeDefined();
    report({ load_progress: 0.4 });
    await waits({ for: "loading", fraction: 0.4 });
    expect(talk.turns()).toHaveLength(1);
    await ends(first);

    const second = talk.say("Again");
    await expect.poll(() => reply).toBeDefined();
    report({ load_progress: 1 });
    report({ prompt_progress: { completed: 512, total: 2_048 } });
    await waits({ for: "reading", completed: 512, total: 2_048 });
    await ends(second);

    const third = talk.say("Once more");
    await expect.poll(() => reply).toBeDefined();
    report({ prompt_progress: { completed: 2, total: 2 } });
    reply?.write(token("Yes"));
    await expect.poll(() => talk.turns().at(-1)?.content).toBe("Yes");
    expect([talk.isStreaming(), talk.wait()]).toEqual([true, undefined]);
    reply?.end(last);
    await third;
  });

  it("stops: the server sees the connection close, and the part that came stays, marked as stopped", async () => {
    let closed = false;
    const { chat } = await modelService((_req, res) => {
      res.write(token("Once upon"));
      res.on("close", () => (closed = true));
    });
    const talk = begin(chat);
    const said = talk.say("A story");
    await expect.poll(() => talk.turns().at(-1)?.content).toBe("Once upon");
    talk.chats.stop(talk.id);
    await said;
    expect([talk.isStreaming(), talk.error()]).toEqual([false, undefined]);
    expect(talk.turns().at(-1)).toMatchObject({ content: "Once upon", ended: "stopped" });
    await expect.poll(() => closed).toBe(true);
  });

  it("takes calls of tools and sends their results with the calls", async () => {
    const bodies: { messages: unknown[] }[] = [];
    const call = { id: "call_1", function: { index: 0, name: "get_weather", arguments: { city: "Lugano" } } };
    const { chat } = await modelService((req, res) => {
      let body = "";
      req.setEncoding("utf8").on("data", (part: string) => (body += part));
      req.on("end", () => {
        bodies.push(JSON.parse(body));
        const asks = { ...common, message: { role: "assistant", content: "", tool_calls: [call] }, done: false };
        res.end((bodies.length === 1 ? line(asks) : token("Sunny")) + last);
      });
    });
    const talk = begin(chat);
    await talk.say("Weather?");
    expect(talk.turns()[1]?.calls).toEqual([{ id: "call_1", name: "get_weather", arguments: { city: "Lugano" } }]);
    const result = { role: "tool", content: "21 degrees", tool: "get_weather", callId: "call_1" } as const;
    await talk.chats.ask(talk.id, "tiny:1b", 2, [result]);
    expect(bodies[1]?.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "call_1", function: { name: "get_weather", arguments: { city: "Lugano" } } }],
      },
      { role: "tool", content: "21 degrees", tool_name: "get_weather", tool_call_id: "call_1" },
    ]);
    expect(talk.turns().at(-1)?.content).toBe("Sunny");
  });
});
