/** The thread that runs templates. Whatever they do, the streams of the service continue. */
import { parentPort, workerData } from "node:worker_threads";
import { GoError } from "./go-template/go-values.ts";
import { LineError } from "./jinja/line-error.ts";
import { RefusalError } from "./jinja/refusal-error.ts";
import { parseChatTemplate, type ParsedTemplate } from "./parse-template.ts";
import type { TemplateAnswer, TemplateAsk, TemplateFailure, TemplateLimits } from "./template-messages.ts";
import { TooLargeError } from "./too-large-error.ts";
import { OutOfTimeError, withinDeadline } from "./within-deadline.ts";

const { deadlineMs, mostCharacters } = workerData as TemplateLimits;

/** Number of parsed templates that are cached. */
const mostKept = 64;
const parsed = new Map<string, ParsedTemplate>();

function templateOf(text: string): ParsedTemplate {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const template = parseChatTemplate(text);
  const [oldest] = parsed.keys();
  if (parsed.size >= mostKept && oldest !== undefined) parsed.delete(oldest);
  parsed.set(text, template);
  return template;
}

function failureOf(error: unknown, isRunning: boolean): TemplateFailure {
  const { message } = error as Error;
  if (error instanceof OutOfTimeError) return { kind: "out_of_time", message };
  if (error instanceof TooLargeError) return { kind: "too_large", message };
  if (error instanceof RangeError) {
    const isDeep = message.includes("call stack");
    return { kind: "too_large", message: isDeep ? "it is nested too deep" : `it makes too much: ${message}` };
  }
  if (error instanceof RefusalError) return { kind: "refused", message };
  const isOfTemplate = error instanceof LineError || error instanceof GoError;
  return { kind: isRunning && isOfTemplate ? "failed" : "unsupported", message };
}

/** The input is the client's own, so a larger input gets more time and a larger output. */
function render(parse: () => ParsedTemplate, variables: string): string {
  const parsed = JSON.parse(variables) as Record<string, unknown>;
  const share = 1 + variables.length / mostCharacters;
  return withinDeadline(Math.round(deadlineMs * share), () =>
    parse().render(parsed, mostCharacters + variables.length),
  );
}

function answer({ text, variables }: TemplateAsk): Omit<TemplateAnswer, "id"> {
  let isParsed = false;
  const parse = () => {
    const template = templateOf(text);
    isParsed = true;
    return template;
  };
  try {
    if (variables !== undefined) return { output: render(parse, variables) };
    withinDeadline(deadlineMs, parse);
    return {};
  } catch (error) {
    return { failure: failureOf(error, isParsed) };
  }
}

parentPort?.on("message", (ask: TemplateAsk) => parentPort?.postMessage({ id: ask.id, ...answer(ask) }));
