import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createSend } from "../../renderer/api/call.ts";
import { createModelClient } from "../../renderer/api/model-client.ts";
import { readNdjson } from "../../renderer/api/ndjson.ts";
import { createChatSession, type ChatStorage } from "../../renderer/features/chat/chat-session.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A model service at the console's own address, and a fetch that reaches it. */
async function modelService(answer: RequestListener) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return createModelClient(createSend((path, init) => fetch(new URL(String(path), `http://127.0.0.1:${port}`), init)));
}
const memory = (): ChatStorage => {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
};
const line = (value: object) => `${JSON.stringify(value)}\n`;
const token = (content: string) => line({ message: { role: "assistant", content }, done: false });
const last = line({
  message: { role: "assistant", content: "" },
  done: true,
  done_reason: "stop",
  load_duration: 100e6,
  prompt_eval_duration: 50e6,
  eval_count: 20,
  eval_duration: 2e9,
});

describe("Reading newline-delimited JSON", () => {
  it("puts lines and characters together however they are cut, and takes a last line without an end", async () => {
    const bytes = new TextEncoder().encode('{"a":"图"}\n\n{"a":2}\n{"a":3}');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const read: unknown[] = [];
    for await (const value of readNdjson(body)) read.push(value);
    expect(read).toEqual([{ a: "图" }, { a: 2 }, { a: 3 }]);
  });
});

describe("A chat session", () => {
  it("streams the answer, tells what it cost, and sends the whole conversation with the next question", async () => {
    const bodies: { model: string; stream: boolean; messages: unknown[] }[] = [];
    const { chat } = await modelService((req, res) => {
      let body = "";
      req.setEncoding("utf8").on("data", (part: string) => (body += part));
      req.on("end", () => {
        bodies.push(JSON.parse(body));
        res.write(token("Hel"));
        res.end(token("lo") + last);
      });
    });
    const session = createChatSession(chat, memory());
    await session.send("tiny:1b", "Hi");
    expect(session.chat()).toMatchObject({
      streaming: false,
      error: undefined,
      turns: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: "Hello",
          model: "tiny:1b",
          metrics: { tokens: 20, tokensPerSecond: 10, firstTokenMs: 150 },
        },
      ],
    });
    await session.send("tiny:1b", "Again");
    expect(bodies[1]).toEqual({
      model: "tiny:1b",
      stream: true,
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "Again" },
      ],
    });
  });

  it("keeps what came when the stream breaks with an error line, shows its text, and asks again on demand", async () => {
    let asked = 0;
    const { chat } = await modelService((_req, res) => {
      asked += 1;
      if (asked === 1) res.end(token("Half") + line({ error: "the runner stopped" }));
      else res.end(token("Whole") + last);
    });
    const session = createChatSession(chat, memory());
    await session.send("tiny:1b", "Hi");
    expect(session.chat().error).toBe("the runner stopped");
    expect(session.chat().turns.at(-1)?.content).toBe("Half");
    await session.retry("tiny:1b");
    expect(session.chat().error).toBeUndefined();
    expect(session.chat().turns.map(({ content }) => content)).toEqual(["Hi", "Whole"]);
  });

  it.each([
    [503, { Message: "The model service is down." }, "The model service is down."],
    [404, { error: "model 'x' not found" }, "model 'x' not found"],
  ])("shows the sentence of a refusal (%i) and keeps the question", async (status, body, sentence) => {
    const { chat } = await modelService((_req, res) => void res.writeHead(status).end(JSON.stringify(body)));
    const session = createChatSession(chat, memory());
    await session.send("tiny:1b", "Hi");
    expect(session.chat()).toMatchObject({ error: sentence, turns: [{ role: "user", content: "Hi" }] });
  });

  it("stops: the server sees the connection close, and the part that came stays, marked as stopped", async () => {
    let closed = false;
    const { chat } = await modelService((_req, res) => {
      res.write(token("Once upon"));
      res.on("close", () => (closed = true));
    });
    const session = createChatSession(chat, memory());
    const sent = session.send("tiny:1b", "A story");
    await expect.poll(() => session.chat().turns.at(-1)?.content).toBe("Once upon");
    session.stop();
    await sent;
    expect(session.chat()).toMatchObject({ streaming: false, error: undefined });
    expect(session.chat().turns.at(-1)).toMatchObject({ content: "Once upon", ended: "stopped" });
    await expect.poll(() => closed).toBe(true);
  });

  it("drops the running answer and forgets all when a new chat is begun", async () => {
    const { chat } = await modelService((_req, res) => void res.write(token("Once upon")));
    const storage = memory();
    const session = createChatSession(chat, storage);
    const sent = session.send("tiny:1b", "A story");
    await expect.poll(() => session.chat().turns.length).toBe(2);
    session.startAnew();
    await sent;
    expect(session.chat()).toMatchObject({ turns: [], streaming: false, error: undefined });
    expect(createChatSession(chat, storage).chat().turns).toEqual([]);
  });

  it("finds the conversation again after a reload, and starts empty when what is kept is of no use", async () => {
    const { chat } = await modelService((_req, res) => void res.end(token("Hello") + last));
    const storage = memory();
    await createChatSession(chat, storage).send("tiny:1b", "Hi");
    expect(createChatSession(chat, storage).chat()).toMatchObject({
      model: "tiny:1b",
      turns: [{ content: "Hi" }, { content: "Hello" }],
    });
    storage.setItem("hearth.chat", '{"turns":[{"role":"king"}]}');
    expect(createChatSession(chat, storage).chat().turns).toEqual([]);
  });
});
