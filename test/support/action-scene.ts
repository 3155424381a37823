/** A Hearth in this process, and the commands of the table of actions that use it. */
import { vi } from "vitest";
import { ActionError } from "../../server/actions/action-error.ts";
import { SettingsError } from "../../server/process/settings/read-settings.ts";
import type { Settings } from "../../server/contract/process/settings.ts";
import { consoleToken, startTestApp } from "./app/test-app.ts";
import { commandHere } from "./command-here.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  /** The message of the error. */
  readonly problem: string;
}

const codeOf = (error: unknown) =>
  error instanceof ActionError ? error.exitCode : error instanceof SettingsError ? 2 : 1;

export async function startActionScene(settings: Partial<Settings> = {}) {
  const app = await startTestApp({ settings });
  const env = {
    HEARTH_APP_URL: app.url,
    HEARTH_PROVIDER_URL: app.provider.url,
    HEARTH_CONSOLE_URL: `${app.url}/console/?token=${consoleToken}`,
  };

  /** Runs a command, as from a command line with the words. */
  async function hearth(...words: readonly string[]): Promise<Ran> {
    let stdout = "";
    const written = vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((stdout += String(text))));
    try {
      const code = await commandHere(words, { env, cwd: app.folder });
      return { code, stdout, problem: "" };
    } catch (error) {
      return { code: codeOf(error), stdout, problem: (error as Error).message };
    } finally {
      written.mockRestore();
    }
  }

  /** The value of a command with `--json`. @throws Error when the command fails */
  async function json(...words: readonly string[]): Promise<unknown> {
    const { code, stdout, problem } = await hearth(...words, "--json");
    if (code !== 0) throw new Error(`hearth ${words.join(" ")} ended with ${String(code)}: ${problem}`);
    return JSON.parse(stdout) as unknown;
  }

  return { app, env, hearth, json, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}
export type ActionScene = Awaited<ReturnType<typeof startActionScene>>;
