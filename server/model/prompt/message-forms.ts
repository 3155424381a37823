/** Variants of a conversation for strict templates, the most faithful one first. */
import type { ChatMessage } from "../chat-completion.ts";
import { withRunsJoined } from "./chat-messages.ts";

const systemText = (messages: readonly ChatMessage[]) =>
  messages
    .filter(({ role }) => role === "system")
    .map(({ content }) => content)
    .join("\n\n");
const others = (messages: readonly ChatMessage[]) => messages.filter(({ role }) => role !== "system");

/** Joins adjacent user messages, after the ones between them were removed. */
const withTurnsJoined = (messages: readonly ChatMessage[]) =>
  withRunsJoined(messages, (first, second) => first.role === "user" && second.role === "user");

/** Joins all system messages into one at the front. */
const systemFirst = (messages: readonly ChatMessage[]): ChatMessage[] => [
  { role: "system", content: systemText(messages) },
  ...withTurnsJoined(others(messages)),
];

/** Moves the system text into the first user message. */
function systemInUser(messages: readonly ChatMessage[]): ChatMessage[] {
  const rest = withTurnsJoined(others(messages));
  const [first] = rest;
  if (first?.role !== "user") return [{ role: "user", content: systemText(messages) }, ...rest];
  return [{ ...first, content: `${systemText(messages)}\n\n${first.content}` }, ...rest.slice(1)];
}

/** Starts with the first user message: answers to omitted questions are removed. */
function fromQuestion(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const question = messages.findIndex(({ role }) => role === "user");
  return messages.filter(({ role }, at) => role === "system" || at >= question);
}

/** Splits calls into messages of one call, each followed by its result. */
function oneCallEach(messages: readonly ChatMessage[]): ChatMessage[] {
  /** The results by their calls, the last one first. */
  const results = new Map<string | undefined, { message: ChatMessage; at: number }[]>();
  for (const [at, message] of [...messages.entries()].reverse()) {
    if (message.role !== "tool") continue;
    const others = results.get(message.toolCallId);
    if (others === undefined) results.set(message.toolCallId, [{ message, at }]);
    else others.push({ message, at });
  }
  const used = new Set<ChatMessage>();
  return messages.flatMap((message, at) => {
    const { toolCalls = [] } = message;
    if (message.role === "tool") return used.has(message) ? [] : [message];
    if (toolCalls.length < 2) return [message];
    return toolCalls.flatMap((call, index) => {
      const answers = results.get(call.id) ?? [];
      while ((answers.at(-1)?.at ?? at) < at) answers.pop();
      const answer = answers.pop()?.message;
      if (answer !== undefined) used.add(answer);
      const single = { ...message, content: index === 0 ? message.content : "", toolCalls: [call] };
      return answer === undefined ? [single] : [single, answer];
    });
  });
}

/** The original messages, then every variant, each also with one call per message. */
export function* messageForms(messages: readonly ChatMessage[]): Generator<readonly ChatMessage[]> {
  const hasSystem = messages.some(({ role }) => role === "system");
  const forms = hasSystem ? [messages, systemFirst(messages), systemInUser(messages)] : [messages];
  yield* forms;
  if (others(messages)[0]?.role !== "user") yield* forms.map(fromQuestion);
  if (messages.some(({ toolCalls = [] }) => toolCalls.length > 1)) yield* forms.map(oneCallEach);
}
