/** Reads the streams of model servers as an application does, on a connection of its own, and takes the time. */
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";

/** What a generation was at its reader; times in milliseconds. */
export interface Figures {
  /** From before the connection to the first token. */
  readonly firstMs: number;
  /** From the first token to the last. */
  readonly restMs: number;
  /** The longest time between two tokens. */
  readonly longestMs: number;
  readonly tokens: number;
  /** Tokens of the prompt, those found in a cache included. */
  readonly promptTokens: number;
  /** The whole answer; absent where it is not sent. */
  readonly text?: string;
}

/** What a line of a stream says. `text` "" is none. */
export interface StreamLine {
  readonly text: string;
  readonly promptTokens?: number | undefined;
  /** Tokens of the whole answer, where the server counts them: a line may hold several. */
  readonly tokens?: number | undefined;
}

export interface StreamReading {
  readonly parse: (line: string) => StreamLine;
  /** Goes away after so many tokens. */
  readonly leaveAfter?: number | undefined;
  readonly onToken?: (() => void) | undefined;
}

async function post(url: string, body: unknown): Promise<IncomingMessage> {
  const sent = request(url, { method: "POST", agent: false });
  sent.end(JSON.stringify(body));
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  if (reply.statusCode === 200) return reply;
  throw new Error(`${url}: ${String(reply.statusCode)} ${(await reply.toArray()).join("")}`);
}

/** @throws Error for a status other than 200, and for a line with an error */
export async function readStream(url: string, body: unknown, reading: StreamReading): Promise<Figures> {
  const { parse, leaveAfter = Infinity, onToken } = reading;
  const began = performance.now();
  const reply = await post(url, body);
  let [firstAt, lastAt, tokens, longestMs, promptTokens, counted, rest, text] = [0, 0, 0, 0, 0, 0, "", ""];
  for await (const chunk of reply.setEncoding("utf8") as AsyncIterable<string>) {
    const now = performance.now();
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const said = parse(line);
      promptTokens = said.promptTokens ?? promptTokens;
      counted = said.tokens ?? counted;
      if (said.text === "") continue;
      text += said.text;
      if (tokens++ === 0) firstAt = now;
      else longestMs = Math.max(longestMs, now - lastAt);
      lastAt = now;
      onToken?.();
    }
    if (tokens >= leaveAfter) break;
  }
  return {
    firstMs: firstAt - began,
    restMs: lastAt - firstAt,
    longestMs,
    tokens: Math.max(tokens, counted),
    promptTokens,
    text,
  };
}

/** A reader that asks and then takes nothing; calling the result makes it go away. */
export async function stalledReader(url: string, body: unknown): Promise<() => void> {
  const reply = await post(url, body);
  reply.pause();
  return () => reply.destroy();
}
