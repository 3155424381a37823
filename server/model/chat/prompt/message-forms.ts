/** Variants of a conversation for strict templates, the most faithful one first. */
import type { ChatMessage } from "../../chat-completion.ts";
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

/** Puts an answer between a tool's result and what the user says next. */
const withResultsAnswered = (messages: readonly ChatMessage[]) =>
  messages.flatMap((message, at) =>
    message.role === "user" && messages[at - 1]?.role === "tool"
      ? [{ role: "assistant", content: "OK." }, message]
      : [message],
  );

/** Leaves empty answers out. */
const withoutEmptyAnswers = (messages: readonly ChatMessage[]) =>
  withTurnsJoined(
    messages.filter(
      ({ role, content, toolCalls = [] }) => role !== "assistant" || content !== "" || toolCalls.length > 0,
    ),
  );

/** Splits what has a text and calls into a message of the text and one of the rest. */
export const textApart = (messages: readonly ChatMessage[]) =>
  messages.flatMap((message) =>
    message.content !== "" && (message.toolCalls ?? []).length > 0
      ? [
          { role: message.role, content: message.content },
          { ...message, content: "" },
        ]
      : [message],
  );

const isThoughtOverCall = ({ content, thinking = "", toolCalls = [] }: ChatMessage) =>
  content !== "" && thinking !== "" && toolCalls.length > 0;

const withoutThoughts = (messages: readonly ChatMessage[]) =>
  messages.map((message) => {
    if (!isThoughtOverCall(message)) return message;
    const { thinking: _thinking, ...rest } = message;
    return rest;
  });

/** Splits calls into messages of one call, each followed by its result. */
export function oneCallEach(messages: readonly ChatMessage[]): ChatMessage[] {
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

/** Writes calls and results as text, for a model without tools. */
function asText({ role, content, thinking, toolCalls = [], toolName = "a call" }: ChatMessage): ChatMessage {
  if (role === "tool") return { role: "user", content: `Result of ${toolName}:\n${content}` };
  const calls = toolCalls.map((call) => `Called ${call.name} with ${JSON.stringify(call.arguments)}.`);
  const texts = [content, calls.join("\n")].filter((text) => text !== "");
  return { role, content: texts.join("\n\n"), thinking };
}

/**
 * Hidden calls become text of the answer, hidden results become messages of the user, who may have said more behind
 * them.
 */
function hiddenAsText(messages: readonly ChatMessage[], shown: ShownCalls): readonly ChatMessage[] {
  const isHidden = ({ role, toolCalls = [] }: ChatMessage) =>
    role === "tool" ? !shown.results : toolCalls.length > 0 && !shown.calls;
  if (!messages.some(isHidden)) return messages;
  return withRunsJoined(
    messages.map((message) => (isHidden(message) ? asText(message) : message)),
    (first, second) => first.role === second.role,
  );
}

export type Form = (messages: readonly ChatMessage[]) => readonly ChatMessage[];

const same: Form = (messages) => messages;
const systemForms = { kept: same, first: systemFirst, inUser: systemInUser } satisfies Record<string, Form>;
export type SystemForm = keyof typeof systemForms;
export const allSystemForms = Object.keys(systemForms) as readonly SystemForm[];

/** The parts of earlier calls that a template shows. */
export interface ShownCalls {
  readonly calls: boolean;
  /** Whether it shows the results of calls; never without the calls. */
  readonly results: boolean;
  /** Whether it shows several calls only in a message each. */
  readonly oneEach: boolean;
  /** Whether it shows a text and calls only in a message each. */
  readonly textApart: boolean;
}

/** The forms of messages that a template renders completely. */
export interface ShownForms {
  readonly system: SystemForm;
  readonly withTools: ShownCalls;
  readonly withoutTools: ShownCalls;
}

const everythingShown: ShownCalls = { calls: true, results: true, oneEach: false, textApart: false };
/** For what takes all messages as they are sent. */
export const asSent: ShownForms = { system: "kept", withTools: everythingShown, withoutTools: everythingShown };

export const withSystem = (form: SystemForm, messages: readonly ChatMessage[]) =>
  messages.some(({ role }) => role === "system") ? systemForms[form](messages) : messages;

/** Each removes from the messages one thing that some templates refuse. */
const mendings: readonly Form[] = [
  fromQuestion,
  oneCallEach,
  withResultsAnswered,
  withoutEmptyAnswers,
  textApart,
  withoutThoughts,
];

function changes(form: Form, messages: readonly ChatMessage[]): boolean {
  const changed = form(messages);
  return changed.length !== messages.length || changed.some((message, at) => message !== messages[at]);
}

/** The messages as the template shows them, then without what it may refuse: one thing, then all of them. */
function* mendedForms(messages: readonly ChatMessage[], system: SystemForm): Generator<readonly ChatMessage[]> {
  const systems = messages.some(({ role }) => role === "system")
    ? [system, ...allSystemForms.filter((form) => form !== system)]
    : [system];
  const forms = systems.map((form) => withSystem(form, messages));
  const useful = mendings.filter((mend) => changes(mend, messages));
  yield* forms;
  for (const mend of useful) yield* forms.map(mend);
  if (useful.length > 1) yield* forms.map((form) => useful.reduce((mended, mend) => mend(mended), form));
}

/** The forms in which a template may accept the messages. Turns that must alternate leave no place for a text apart. */
export function* messageForms(
  history: readonly ChatMessage[],
  system: SystemForm,
  shown: ShownCalls,
): Generator<readonly ChatMessage[]> {
  const messages = hiddenAsText(shown.oneEach ? oneCallEach(history) : history, shown);
  if (shown.textApart) yield* mendedForms(textApart(messages), system);
  yield* mendedForms(messages, system);
}
