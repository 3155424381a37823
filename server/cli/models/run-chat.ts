/** `hearth run`: a chat in the terminal, or one answer to a text that comes by a pipe. */
import { createInterface } from "node:readline";
import { text as textOf } from "node:stream/consumers";
import type { ChatInput, ModelClient } from "../../contract/model/model-client.ts";
import { printable, printableLines, printError, printLine } from "../../process/terminal/print-text.ts";
import { progressOn } from "../progress-line.ts";
import { ModelServiceError } from "./model-transport.ts";

type Message = NonNullable<ChatInput["messages"]>[number];

/** The input and output of the person or program. */
export interface ChatTerminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

interface Chat extends ChatTerminal {
  readonly client: ModelClient;
  readonly model: string;
}

const dim = (text: string) => `\u001B[2m${text}\u001B[22m`;

/**
 * Writes the answer as it arrives, on a terminal with its thoughts, and ends the line.
 * @returns the text of the answer; after an abort, its beginning
 * @throws ModelServiceError
 */
async function answer({ client, model, output }: Chat, messages: readonly Message[], signal: AbortSignal) {
  const progress = progressOn(output);
  const shows = output.isTTY === true;
  let text = "";
  try {
    for await (const { message, load_progress: loaded } of client.chat({ model, messages: [...messages] }, signal)) {
      if (loaded !== undefined) {
        progress.show(`loading ${printable(model)}`, loaded * 100, 100);
        continue;
      }
      progress.clear();
      if (shows && message.thinking) output.write(dim(printableLines(message.thinking)));
      output.write(printableLines(message.content));
      text += message.content;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    output.write("\n");
  }
  return text;
}

/** Until /bye, Ctrl-D, or Ctrl-C between two answers. */
async function chatOn(chat: Chat): Promise<void> {
  const { input, output, model } = chat;
  const lines = createInterface({ input, output, terminal: true, prompt: ">>> " });
  const messages: Message[] = [];
  let answering: AbortController | undefined;
  let isOpen = true;
  lines.on("SIGINT", () => {
    if (answering === undefined) lines.close();
    else answering.abort();
  });
  lines.once("close", () => {
    isOpen = false;
    answering?.abort();
  });
  printLine(`${model}: /bye or Ctrl-D ends the chat, Ctrl-C stops an answer`, output);
  lines.prompt();
  for await (const line of lines) {
    if (line.trim() === "/bye") break;
    if (line.trim() !== "") {
      answering = new AbortController();
      messages.push({ role: "user", content: line });
      try {
        messages.push({ role: "assistant", content: await answer(chat, messages, answering.signal) });
      } catch (error) {
        if (!(error instanceof ModelServiceError)) throw error;
        messages.pop();
        printLine(error.message, output);
      }
      answering = undefined;
    }
    if (isOpen) lines.prompt();
  }
  lines.close();
}

/**
 * @returns the exit code: 1 for an empty input
 * @throws ModelServiceError for a missing model, which is not pulled
 */
export async function runChat(client: ModelClient, model: string, { input, output }: ChatTerminal): Promise<number> {
  const chat: Chat = { client, model, input, output };
  await client.show(model).catch((error: unknown) => {
    if (!(error instanceof ModelServiceError) || error.status !== 404) throw error;
    throw new ModelServiceError(`${error.message}; "hearth pull ${model}" downloads it`, { cause: error });
  });
  if (input.isTTY === true) {
    await chatOn(chat);
    return 0;
  }
  const question = await textOf(input);
  if (question.trim() === "") {
    printError("nothing to answer: the pipe is empty");
    return 1;
  }
  await answer(chat, [{ role: "user", content: question }], new AbortController().signal);
  return 0;
}
