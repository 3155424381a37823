/** The machine of an agent: a project, the command line, and a running Hearth. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fromCheckout, installCommands } from "../docs/installed-commands.ts";
import { launchHearth, plainEnvironment } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const token = "a-token-of-the-test-of-the-agents-0123456789";

export interface Printed {
  readonly code: number;
  /** What the command printed, errors included. */
  readonly output: string;
}

export async function startAgentMachine() {
  const folder = temporaryFolder();
  const [bin, project] = [join(folder.path, "bin"), join(folder.path, "project")];
  mkdirSync(project);
  installCommands(bin, fromCheckout);
  const hearth = launchHearth({ env: { HEARTH_CONSOLE_TOKEN: token } });
  const { app, provider } = await hearth.ready();
  const inherited = plainEnvironment();
  const path = [bin, dirname(process.execPath), inherited["PATH"]].join(":");
  const env = { ...inherited, PATH: path, HEARTH_DATA_DIR: hearth.dataDir, NO_COLOR: "1" };

  const run = (command: string, more: Readonly<Record<string, string>> = {}): Promise<Printed> =>
    new Promise((resolve) => {
      execFile("bash", ["-c", command], { cwd: project, env: { ...env, ...more } }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });
  /** @throws Error when the command fails @returns what it printed */
  async function must(command: string): Promise<string> {
    const { code, output } = await run(command);
    if (code !== 0) throw new Error(`${command} ended with ${String(code)}:\n${output}`);
    return output;
  }
  const headers = { Authorization: `Bearer ${token}` };
  const read = async (url: string) => (await fetch(url, { headers })).json() as Promise<Record<string, unknown>>;

  return {
    app,
    project,
    /** Runs a line in a shell, in the project's folder. */
    run,
    must,
    write: (file: string, text: string) => writeFileSync(join(project, file), text),
    /** Reads an address of the application server as the console, for checkers. */
    ofApp: (address: string) => read(app + address),
    /** Reads an address of the simulator. */
    ofPlatform: (address: string) => read(provider + address),
    async [Symbol.asyncDispose]() {
      await hearth[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export type AgentMachine = Awaited<ReturnType<typeof startAgentMachine>>;
