/** Conversations of very many messages: the event loop that prepares them is that of all requests. */
import { expect, it, onTestFinished, vi } from "vitest";
import type { ChatMessage } from "../../../../server/model/chat-completion.ts";
import { chatMessages } from "../../../../server/model/chat/prompt/chat-messages.ts";

const count = 1000;
const numbers = Array.from({ length: count }, (_, at) => String(at));

/** Counts the characters of texts that are joined, and the items of lists that are searched. */
function countWork() {
  let work = 0;
  const { join, find, filter } = Array.prototype;
  const spies = [
    vi.spyOn(Array.prototype, "join").mockImplementation(function (this: unknown[], between) {
      const text = join.call(this, between);
      work += text.length;
      return text;
    }),
    ...([find, filter] as const).map((method) =>
      vi.spyOn(Array.prototype, method.name as "find").mockImplementation(function (this: unknown[], ...of) {
        work += this.length;
        return method.apply(this, of) as unknown;
      }),
    ),
  ];
  const stop = () => {
    spies.forEach((spy) => spy.mockRestore());
    return work;
  };
  onTestFinished(() => void stop());
  return stop;
}

it("of one role are joined at once", () => {
  const messages = numbers.map((content): ChatMessage => ({ role: "user", content, thinking: content }));
  const worked = countWork();
  const [joined, ...others] = chatMessages(messages);
  expect(worked()).toBeLessThan(50 * count);
  expect(others).toEqual([]);
  expect(joined).toEqual({ role: "user", content: numbers.join("\n\n"), thinking: numbers.join("\n\n") });
});

it.each<[string, (id: string) => Partial<ChatMessage>]>([
  ["ids", (id) => ({ toolCallId: id })],
  ["names", (id) => ({ toolName: `tool ${id}` })],
  ["order", () => ({})],
])("with results of calls by their %s are paired without looking through all calls for each", (_by, more) => {
  const toolCalls = numbers.map((id) => ({ id, name: `tool ${id}`, arguments: {} }));
  const results = numbers.map((id): ChatMessage => ({ role: "tool", content: id, ...more(id) }));
  const worked = countWork();
  const [, ...paired] = chatMessages([{ role: "assistant", content: "", toolCalls }, ...results]);
  expect(worked()).toBeLessThan(50 * count);
  expect(paired.map(({ toolCallId }) => toolCallId)).toEqual(numbers);
});
