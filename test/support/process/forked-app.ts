/** The `app` process alone, as it was built, over a data directory that outlives it. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import { settingsSchema, type Settings } from "../../../server/contract/process/settings.ts";
import { built, plainEnvironment } from "./launch.ts";
import { startMessage } from "./start-message.ts";

const entry = built("app");
const consoleToken = "forked-app";
const authorized = { Authorization: `Bearer ${consoleToken}` };

export interface ForkedApp extends AsyncDisposable {
  readonly url: string;
  /** The console's own origin. */
  readonly consoleUrl: string;
  /** With the console's token. */
  console(path: string, init?: { method: string; body: string }): Promise<Response>;
  /** The session token of a user who has logged in. */
  logIn(): Promise<string>;
  /** Stores a file as a user who has logged in; what is answered. */
  upload(name: string, content: Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Asks it to end, as a service manager does. */
  terminate(): void;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

export async function forkApp(dataDir: string, changed: Partial<Settings> = {}): Promise<ForkedApp> {
  const ports = { app_port: 0, provider_port: 0 };
  const settings = settingsSchema.parse({ data_dir: dataDir, ...ports, log_level: "silent", ...changed });
  const child: ChildProcess = fork(entry, { env: plainEnvironment() });
  child.send(startMessage(settings, { token: consoleToken }));
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const [message] = (await once(child, "message")) as [{ type: string; urls: { app: string; console: string } }];
  expect(message.type).toBe("ready");
  const { app: url, console: consoleUrl } = message.urls;
  let token: Promise<string> | undefined;
  async function logIn(): Promise<string> {
    const reply = await fetch(`${url}/console/api/tokens`, { method: "POST", headers: authorized });
    return ((await reply.json()) as { access_token: string }).access_token;
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  return {
    url,
    consoleUrl,
    logIn,
    console: (path, init) =>
      fetch(`${url}/console/api${path}`, {
        ...init,
        headers: { ...authorized, ...(init && { "Content-Type": "application/json" }) },
      }),
    async upload(name, content) {
      const form = new FormData();
      form.append("[]", new File([content], name));
      const headers = { Authorization: `Bearer ${await (token ??= logIn())}` };
      return fetch(`${url}/api/uploads`, { method: "POST", body: form, headers });
    },
    kill,
    terminate: () => void child.kill("SIGTERM"),
    ended,
    [Symbol.asyncDispose]: kill,
  };
}
