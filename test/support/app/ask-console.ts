import { callConsole } from "./control-calls.ts";
import type { TestApp } from "./test-app.ts";

export interface ConsoleRefusal {
  Message: string;
  code: string;
  details: { field: string; problem: string }[];
}

/** What a call of the console's API answers, read as JSON. @param path below /console/api */
export async function askConsole<Answer = ConsoleRefusal>(
  app: Pick<TestApp, "url">,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; location: string | null; body: Answer }> {
  const reply = await callConsole(app, method, path, body);
  const text = await reply.text();
  const answer = (text === "" ? undefined : JSON.parse(text)) as Answer;
  return { status: reply.status, location: reply.headers.get("location"), body: answer };
}
