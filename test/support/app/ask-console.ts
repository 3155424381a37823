import type { TestApp } from "./test-app.ts";
import { authorized } from "./user-files.ts";

export interface ConsoleRefusal {
  Message: string;
  code: string;
  details: { field: string; problem: string }[];
}

/** A call of the console's API with JSON. @param path below /console/api */
export async function askConsole<Answer = ConsoleRefusal>(
  app: Pick<TestApp, "url">,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; location: string | null; body: Answer }> {
  const reply = await fetch(`${app.url}/console/api${path}`, {
    method,
    headers: { ...authorized, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const answer = (text === "" ? undefined : JSON.parse(text)) as Answer;
  return { status: reply.status, location: reply.headers.get("location"), body: answer };
}
