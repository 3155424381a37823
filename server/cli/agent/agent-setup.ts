/** `hearth agent setup`: Hearth's MCP server and skill in the files of a coding agent. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { wayWithin } from "../../file-system/compare-paths.ts";
import { cancelledCode } from "../../process/lifetime/stop-request.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import { printable, printLine, printLines } from "../../process/terminal/print-text.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { askUser } from "../ask.ts";
import type { CommandContext } from "../command.ts";
import { hasHearthkit } from "../init/has-hearthkit.ts";
import type { AgentSetupInput } from "./agent-input.ts";
import { agents, type Agent } from "./agents.ts";
import { addServer, UnreadableConfig } from "./merge-config.ts";
import { showDiff } from "./show-diff.ts";

const serverName = "hearth";
const skillFile = `${serverName}/SKILL.md`;
/** The exit code where nobody can answer whether the files may be written. */
const unansweredCode = 2;

interface Change {
  /** Relative to the project, with '/'. */
  readonly path: string;
  readonly before: string | undefined;
  /** `undefined`: the file stays, for the reason in `note`. */
  readonly after: string | undefined;
  readonly note: string;
}

/** @throws SettingsError */
function chosenAgents(name: string | undefined, folder: string): readonly Agent[] {
  const names = Object.keys(agents).join(", ");
  if (name === undefined) {
    const found = Object.values(agents).filter(({ traces }) => traces.some((one) => existsSync(join(folder, one))));
    if (found.length > 0) return found;
    throw new SettingsError(`this folder has no files of a coding agent; name one: ${names}`);
  }
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (agent === undefined) throw new SettingsError(`AGENT must be one of ${names}, not ${printable(name)}`);
  return [agent];
}

/** Without hearthkit in the project, `npx` would fetch a package of somebody else: npm's `hearth`. */
const serverCommand = (folder: string) =>
  hasHearthkit(folder)
    ? { command: "npx", args: ["--no-install", serverName, "mcp"] }
    : { command: serverName, args: ["mcp"] };

function readPresent(folder: string, path: string): string | undefined {
  if (wayWithin(folder, join(folder, path)) === undefined)
    throw new RunError(`${path} contains a link out of this folder; nothing was written`);
  try {
    return readFileSync(join(folder, path), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** @throws RunError where the configuration cannot be read */
function configChange(folder: string, { config: path, servers, format, entry }: Agent): Change {
  const before = readPresent(folder, path);
  try {
    const server = { servers, name: serverName, entry: { ...entry, ...serverCommand(folder) } };
    const { text, isSame } = addServer(before ?? "", format, server);
    const note = isSame ? "it already has this server" : `its server "${serverName}" differs`;
    return { path, before, after: text, note };
  } catch (error) {
    if (!(error instanceof UnreadableConfig)) throw error;
    throw new RunError(`${path} cannot be extended: ${error.message}. Nothing was written.`);
  }
}

function skillChange(folder: string, { skills }: Agent): Change {
  const path = `${skills}/${skillFile}`;
  const before = readPresent(folder, path);
  const skill = readFileSync(new URL(`./skills/${skillFile}`, import.meta.url), "utf8");
  if (before === undefined) return { path, before, after: skill, note: "" };
  const note =
    before === skill ? "it already has this text" : "its text differs; to get the current one, delete it first";
  return { path, before, after: undefined, note };
}

function write(folder: string, { path, after }: Change): void {
  if (after === undefined) return;
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), after);
  printLine(`wrote ${path}`);
}

/** @throws SettingsError for an unknown agent @throws RunError for a configuration that cannot be extended */
export async function setUpAgent(
  { agent, yes = false }: AgentSetupInput,
  { cwd }: Pick<CommandContext, "cwd">,
): Promise<number> {
  const changes = chosenAgents(agent, cwd).flatMap((one) => [configChange(cwd, one), skillChange(cwd, one)]);
  for (const { path, before, after, note } of changes)
    printLines(`${after === undefined ? `kept ${path}: ${note}` : showDiff(path, before, after)}\n`);
  if (changes.every(({ after }) => after === undefined)) return 0;
  if (!yes) {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      printLine("Nothing was written. To write these files, add --yes.", process.stderr);
      return unansweredCode;
    }
    const answer = await askUser("Write these files?");
    if (answer !== true) {
      printLine("Nothing was written.");
      return answer === undefined ? cancelledCode : 1;
    }
  }
  for (const change of changes) write(cwd, change);
  return 0;
}
