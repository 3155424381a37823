import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../../server/model/chat-completion.ts";
import { chatMessages } from "../../../../server/model/chat/prompt/chat-messages.ts";
import { droppableUnits, withoutUnits } from "../../../../server/model/chat/prompt/shorten-history.ts";
import { fuzzSeed } from "../../../support/fuzz-seed.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string): ChatMessage => ({ role: "assistant", content });
const system = (content: string): ChatMessage => ({ role: "system", content });
const calling = (...ids: string[]): ChatMessage => ({
  role: "assistant",
  content: "",
  toolCalls: ids.map((id) => ({ id, name: "get_weather", arguments: { city: "Oslo" } })),
});
const result = (content: string, toolCallId?: string): ChatMessage => ({ role: "tool", content, toolCallId });

describe("a history that is too long", () => {
  const history = [
    system("s"),
    user("1"),
    calling("a"),
    result("rain"),
    assistant("2"),
    system("t"),
    user("3"),
    calling("b"),
    result("sun"),
  ];
  const units = droppableUnits(history);

  it("loses messages from its beginning, calls only with their results", () => {
    const lost = units.map((_unit, at) => withoutUnits(history, units, at + 1));
    expect(lost.map(({ dropped }) => dropped)).toEqual([1, 3, 4]);
    expect(lost[1]?.messages.map(({ content }) => content)).toEqual(["s", "2", "t", "3", "", "sun"]);
  });

  it("always keeps system messages, the last question and what answers it", () => {
    const { messages } = withoutUnits(history, units, units.length);
    expect(messages.map(({ content }) => content)).toEqual(["s", "t", "3", "", "sun"]);
  });

  it("loses no call without its result and no result without its call, whatever stands between them", () => {
    const message = fc.oneof(
      fc.constantFrom(user("u"), assistant("a"), system("s")),
      fc.subarray(["1", "2", "3"], { minLength: 1 }).map((ids) => calling(...ids)),
      fc.constantFrom("1", "2", "?", undefined).map((id) => result("r", id)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (some) => {
        const all = chatMessages(some);
        const kept = new Set<number>(all.keys());
        for (const unit of droppableUnits(all)) {
          for (const at of unit) kept.delete(at);
          for (const [at, { role, toolCallId }] of all.entries()) {
            if (role !== "tool") continue;
            const called = all.findLastIndex(
              ({ toolCalls = [] }, before) => before < at && toolCalls.some(({ id }) => id === toolCallId),
            );
            if (called >= 0) expect(kept.has(at)).toBe(kept.has(called));
          }
        }
      }),
      { seed: fuzzSeed },
    );
  });

  it("loses what came before an unanswered call, and the call", () => {
    const some = [calling("a"), user("1"), calling("b"), user("hurry"), result("sun"), user("2")];
    expect(droppableUnits(chatMessages(some))).toEqual([[0], [1], [2, 3, 4]]);
  });
});
