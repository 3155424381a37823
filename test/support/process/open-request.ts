import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";

/** A POST of JSON that is under way, as the server says, until the test has it end. */
export async function openRequest(url: string, headers: Readonly<Record<string, string>>, content: unknown) {
  const body = JSON.stringify(content);
  const ofBody = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
  const sent = request(url, { method: "POST", headers: { ...headers, ...ofBody, Expect: "100-continue" } });
  sent.flushHeaders();
  await once(sent, "continue");
  return {
    /** @returns the status of the answer */
    async end(): Promise<number | undefined> {
      const answered = once(sent, "response") as Promise<[IncomingMessage]>;
      sent.end(body);
      const [reply] = await answered;
      reply.resume();
      return reply.statusCode;
    },
  };
}
