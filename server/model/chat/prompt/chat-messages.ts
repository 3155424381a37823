/** Normalizes messages for chat templates. */
import type { ChatMessage } from "../../chat-completion.ts";

/** Roles in lower case; "developer" is another word for "system". */
function roleOf(role: string): string {
  const lower = role.toLowerCase();
  return lower === "developer" ? "system" : lower;
}

const callsOf = ({ toolCalls = [] }: ChatMessage) => toolCalls;

function joined(run: readonly ChatMessage[]): ChatMessage[] {
  const [first, ...others] = run;
  if (first === undefined || others.length === 0) return [...run];
  const textOf = (texts: readonly (string | undefined)[]) => texts.filter(Boolean).join("\n\n");
  const thinking = textOf(run.map((message) => message.thinking));
  const images = run.flatMap((message) => message.images ?? []);
  const toolCalls = run.flatMap(callsOf);
  return [
    {
      role: first.role,
      content: textOf(run.map(({ content }) => content)),
      ...(thinking !== "" && { thinking }),
      ...(images.length > 0 && { images }),
      ...(toolCalls.length > 0 && { toolCalls }),
    },
  ];
}

/** Joins adjacent messages, a whole run of them at once: a request may have very many. */
export function withRunsJoined(
  messages: readonly ChatMessage[],
  mayJoin: (first: ChatMessage, second: ChatMessage) => boolean,
): ChatMessage[] {
  const runs: ChatMessage[][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && mayJoin(last, message)) run.push(message);
    else runs.push([message]);
  }
  return runs.flatMap(joined);
}

type Call = ReturnType<typeof callsOf>[number];

/** Returns the call that a result answers, once, without looking through those that others answer. */
function openCalls(calls: readonly Call[]) {
  const answered = new Set<Call>();
  /** The first one last, where it is removed once it is answered. */
  const inOrder = calls.toReversed();
  const byId = Map.groupBy(inOrder, ({ id }) => id);
  const byName = Map.groupBy(inOrder, ({ name }) => name);
  const firstOf = (some: Call[] = []) => {
    let call = some.at(-1);
    while (call !== undefined && answered.has(call)) {
      some.pop();
      call = some.at(-1);
    }
    return call;
  };
  return ({ toolCallId, toolName = "" }: ChatMessage): Call | undefined => {
    const isAnonymous = toolCallId === undefined;
    const call = isAnonymous ? (firstOf(byName.get(toolName)) ?? firstOf(inOrder)) : firstOf(byId.get(toolCallId));
    if (call !== undefined) answered.add(call);
    return call;
  };
}

/**
 * Adds id and name of the answered call to each tool result: by id, by name, or in order. Templates need both, and
 * clients send one or none.
 */
function withCallsNamed(messages: readonly ChatMessage[]): ChatMessage[] {
  let answeredBy = openCalls([]);
  return messages.map((message) => {
    if (message.role !== "tool") {
      if (callsOf(message).length > 0) answeredBy = openCalls(callsOf(message));
      return message;
    }
    const call = answeredBy(message);
    const { toolName = call?.name, toolCallId = call?.id } = message;
    return { ...message, toolName, toolCallId };
  });
}

/** The messages of the assistant's runs that tools' results follow. */
function answeredOf(messages: readonly ChatMessage[]): ReadonlySet<ChatMessage> {
  const answered = new Set<ChatMessage>();
  let isBeforeResult = false;
  for (const message of messages.toReversed()) {
    isBeforeResult = message.role === "tool" || (isBeforeResult && message.role === "assistant");
    if (isBeforeResult) answered.add(message);
  }
  return answered;
}

/**
 * Joins adjacent messages of one role: many templates require alternating turns, and client libraries send one message
 * per part. A text that follows a call stays behind it, unless results follow: they answer one turn, whose text may have
 * come behind the call. Results stay apart.
 */
export function chatMessages(sent: readonly ChatMessage[]): ChatMessage[] {
  const messages = sent.map((one) => ({ ...one, role: roleOf(one.role) }));
  const answered = answeredOf(messages);
  const canJoin = (first: ChatMessage, second: ChatMessage) =>
    first.role === second.role && first.role !== "tool" && (callsOf(first).length === 0 || answered.has(second));
  return withCallsNamed(withRunsJoined(messages, canJoin));
}

/** Puts the model's own messages first, its system message only if the request does not start with one. */
export function withModelMessages(
  messages: readonly ChatMessage[],
  { system, history }: { system: string | undefined; history: readonly ChatMessage[] },
): ChatMessage[] {
  const all = [...history, ...messages];
  const isFirstSystem = messages[0] !== undefined && roleOf(messages[0].role) === "system";
  return system === undefined || system === "" || isFirstSystem ? all : [{ role: "system", content: system }, ...all];
}
