import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lines, startRulesService, textOf, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { eventsOf } from "../../support/model/scripted-completions.ts";
import { thirdParty } from "../../support/third-party.ts";

const rules = {
  rules: [
    ...[429, 500, 529].flatMap((status) => [
      {
        when: { user: { equals: `error ${String(status)}` } },
        fault: { kind: "error" as const, status, message: `as asked: ${String(status)}`, retry_after: 0 },
        times: 2,
      },
    ]),
    { when: { user: { contains: "error" } }, text: "works now" },
    {
      when: { user: { equals: "late" } },
      text: "one two three",
      fault: { kind: "error" as const, status: 529, message: "overloaded", after_tokens: 1 },
    },
    { when: { user: { equals: "cut" } }, text: "one two three", fault: { kind: "cut" as const, after_tokens: 2 } },
    {
      when: { user: { equals: "broken" } },
      calls: [{ name: "weather", arguments: { city: "Oslo", days: [1, 2, 3] } }],
      fault: { kind: "broken_call" as const },
    },
    { when: { user: { equals: "endless" } }, thinking: "Hm.", text: "x", fault: { kind: "endless_thought" as const } },
    { when: { user: { equals: "slow" } }, text: "a b c d", delay: { first_token_ms: 150, per_token_ms: 40 } },
  ],
};

let service: ModelService;
beforeAll(async () => {
  service = await startRulesService({ ollama: rules, openai: rules, anthropic: rules });
});
afterAll(() => service[Symbol.asyncDispose]());

const user = (content: string) => ({ messages: [{ role: "user", content }] });
const weather = { type: "function", function: { name: "weather", parameters: { type: "object", properties: {} } } };
const failure = async (work: Promise<unknown>): Promise<Wire> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const openai = async (options: object = {}) => {
  const { default: OpenAI } = await thirdParty("openai");
  return new OpenAI({ baseURL: `${service.url}/v1`, apiKey: "unused", ...options });
};
const anthropic = async (options: object = {}) => {
  const { default: Anthropic } = await thirdParty("@anthropic-ai/sdk");
  return new Anthropic({ baseURL: service.url, apiKey: "unused", ...options });
};

describe("the faults of a scripted model", () => {
  it.each([429, 500, 529])("are a status of %d in the form of each API, with Retry-After", async (status) => {
    const text = `error ${String(status)}`;
    const native = await service.post("/api/chat", { model: "ollama", ...user(text) });
    expect([native.status, await native.json()]).toEqual([status, { error: `as asked: ${String(status)}` }]);
    const ofOpenAi = await service.post("/v1/chat/completions", { model: "openai", ...user(text) });
    expect([ofOpenAi.status, ofOpenAi.headers.get("retry-after")]).toEqual([status, "0"]);
    expect(ofOpenAi.headers.has("x-should-retry")).toBe(false);
    const type = status === 429 ? "requests" : "server_error";
    expect(await ofOpenAi.json()).toMatchObject({ error: { message: `as asked: ${String(status)}`, type } });
    const ofAnthropic = await service.post("/v1/messages", { model: "anthropic", max_tokens: 9, ...user(text) });
    expect([ofAnthropic.status, ofAnthropic.headers.get("retry-after")]).toEqual([status, "0"]);
    const kind = { 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error" }[status];
    expect(await ofAnthropic.json()).toMatchObject({ type: "error", error: { type: kind } });
  });

  it("are repeated by the SDKs, which get through once the rule has answered often enough", async () => {
    await using fresh = await startRulesService({ m: rules });
    const { default: OpenAI } = await thirdParty("openai");
    const client = new OpenAI({ baseURL: `${fresh.url}/v1`, apiKey: "unused", maxRetries: 2 });
    const reply = await client.chat.completions.create({ model: "m", ...user("error 429") });
    expect(reply.choices[0].message.content).toBe("works now");
    const { default: Anthropic } = await thirdParty("@anthropic-ai/sdk");
    const other = new Anthropic({ baseURL: fresh.url, apiKey: "unused", maxRetries: 2 });
    const message = await other.messages.create({ model: "m", max_tokens: 99, ...user("error 529") });
    expect(message.content[0].text).toBe("works now");
  });

  it("end a stream with an error in the middle", async () => {
    const native = await lines(await service.post("/api/chat", { model: "ollama", ...user("late") }));
    expect([textOf(native.slice(0, -1)), native.at(-1)]).toEqual(["one", { error: "overloaded" }]);
    const stream = (await anthropic()).messages.stream({ model: "anthropic", max_tokens: 99, ...user("late") });
    expect((await failure(stream.finalMessage())).message).toContain("overloaded");
    const chunks = await (await openai()).chat.completions.create({ model: "openai", stream: true, ...user("late") });
    const read = async () => {
      for await (const chunk of chunks) expect(chunk.object).toBe("chat.completion.chunk");
    };
    expect((await failure(read())).message).toContain("overloaded");
  });

  it("break the connection, before an answer and within one", async () => {
    for (const [path, body] of [
      ["/api/chat", {}],
      ["/v1/chat/completions", { stream: true }],
      ["/v1/messages", { stream: true, max_tokens: 99 }],
      ["/v1/responses", { stream: true, input: "cut" }],
      ["/api/chat", { stream: false }],
      ["/v1/messages", { max_tokens: 99 }],
    ] as const) {
      const reply = service.post(path, { model: "ollama", ...user("cut"), ...body });
      const isStream = path === "/api/chat" ? !("stream" in body) : "stream" in body;
      expect(await reply.then((one) => one.status).catch(() => "broken")).toBe(isStream ? 200 : "broken");
      if (isStream) await expect((await reply).text()).rejects.toThrow("terminated");
    }
  });

  it("send what came before the cut", async () => {
    const body = JSON.stringify({ model: "ollama", ...user("cut") });
    const socket = connect(service.port, "127.0.0.1");
    socket.write(`POST /api/chat HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`);
    let text = "";
    for await (const piece of socket) text += String(piece);
    expect(text).toContain('"content":"one"');
    expect(text).not.toContain('"done":true');
  });

  it("leave a call broken, as the limit of an answer does", async () => {
    const [choice] = (
      await (await openai()).chat.completions.create({ model: "openai", ...user("broken"), tools: [weather] })
    ).choices;
    expect(choice).toMatchObject({
      finish_reason: "length",
      message: { tool_calls: [{ function: { name: "weather" } }] },
    });
    const { arguments: text } = choice.message.tool_calls[0].function;
    expect(text).toMatch(/^\{"city":"Oslo"/);
    expect(() => JSON.parse(text)).toThrow();
  });

  it("never leave the thoughts", async () => {
    const reply = await service.post("/api/chat", {
      model: "ollama",
      ...user("endless"),
      stream: false,
      options: { num_predict: 50 },
    });
    const { message, done_reason, eval_count } = (await reply.json()) as Wire;
    expect([message.content, done_reason, eval_count]).toEqual(["", "length", 50]);
    expect(message.thinking).toMatch(/^(Hm\. ){5}/);
    const whole = await service.post("/v1/messages", { model: "anthropic", max_tokens: 9999, ...user("endless") });
    expect(await whole.json()).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 4096 } });
  });

  it("delay the first token, and each one behind it", async () => {
    const beganMs = performance.now();
    const events = await eventsOf(
      await service.post("/v1/chat/completions", { model: "openai", stream: true, ...user("slow") }),
    );
    const tookMs = performance.now() - beganMs;
    expect(events.filter(({ data }) => data.choices?.[0]?.delta?.content).length).toBe(4);
    expect(tookMs).toBeGreaterThan(150 + 3 * 40 - 10);
  });

  it("stop waiting when the client leaves", async () => {
    const leaving = new AbortController();
    const reply = await service.post("/api/chat", { model: "ollama", ...user("slow") }, { signal: leaving.signal });
    leaving.abort();
    await expect(reply.text()).rejects.toThrow();
    const { models } = (await (await service.get("/api/ps")).json()) as Wire;
    expect(models.find(({ name }: Wire) => name === "ollama:latest")).toMatchObject({ size: 0, size_vram: 0 });
  });
});
