import { describe, expect, it } from "vitest";
import { asMarkdown } from "../../../../../renderer/features/chat/conversations/chat-export.ts";
import { chatRequestOf, curlOf } from "../../../../../renderer/features/chat/conversations/chat-request.ts";
import { plainSettings, type Conversation } from "../../../../../renderer/features/chat/conversations/conversation.ts";
import { titleOf } from "../../../../../renderer/features/chat/conversations/title.ts";

const conversation = (change: Partial<Conversation> = {}): Conversation => ({
  id: "c",
  settings: plainSettings,
  turns: [{ role: "user", content: "What is\n Hearth?" }],
  changedAt: 0,
  ...change,
});

describe("A conversation of the console", () => {
  it("can be shown as a request with its settings and as a shell command", () => {
    const settings = {
      ...plainSettings,
      system: "Don't lie.",
      options: { seed: 7 },
      keepAlive: "-1",
      think: false,
      tools: "[]",
      format: "{ broken",
    };
    const request = chatRequestOf("tiny:1b", settings, conversation().turns);
    expect(request).toEqual({
      model: "tiny:1b",
      messages: [
        { role: "system", content: "Don't lie." },
        { role: "user", content: "What is\n Hearth?" },
      ],
      options: { seed: 7 },
      keep_alive: -1,
      think: false,
      tools: [],
    });
    const command = curlOf("http://127.0.0.1:1", request);
    expect(command.replaceAll(String.raw`'\''`, "").match(/'/g)).toHaveLength(2);
    expect(JSON.parse(command.slice(command.indexOf("'") + 1, -1).replaceAll(String.raw`'\''`, "'"))).toEqual(request);
  });

  it("has its first question as title, and can be exported as text", () => {
    const talk = conversation();
    expect(titleOf(talk)).toBe("What is Hearth?");
    expect(titleOf({ ...talk, title: "Mine" })).toBe("Mine");
    const answer = { role: "assistant", content: "A **server**.", thinking: "Hm", model: "tiny:1b" } as const;
    expect(asMarkdown({ ...talk, turns: [...talk.turns, answer] }, "You")).toBe(
      "# What is Hearth?\n\n## You\n\nWhat is\n Hearth?\n\n## tiny:1b\n\n> Hm\n\nA **server**.\n\n",
    );
  });
});
