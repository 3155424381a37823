/** `hearth run`, `pull`, `list`, `rm` and `create`: calls of the running model service. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createModelClient, type ModelClient } from "../../contract/model/model-client.ts";
import { parseModelfile, ModelfileError } from "../../model/models/create/parse-modelfile.ts";
import { cancelledCode, onStopRequest } from "../../process/lifetime/stop-request.ts";
import { printable, printError, printLine } from "../../process/terminal/print-text.ts";
import { parseFlags, resolveSettings, SettingsError, variableName } from "../../process/settings/read-settings.ts";
import { refuseUnused } from "../unused-flags.ts";
import { findModelService } from "./model-address.ts";
import { CutAnswerError, modelTransport, ModelServiceError } from "./model-transport.ts";
import { runChat } from "./run-chat.ts";
import { showProgress } from "./show-progress.ts";
import { splitSources, uploadFiles } from "./upload-files.ts";

export const modelCommandsHelp = `Usage: hearth run MODEL                   chat in the terminal; what comes by a pipe gets one answer
       hearth pull MODEL [--insecure]     download a model; an interrupted download goes on where it was
       hearth list                        list the installed models
       hearth rm MODEL...                 delete models
       hearth create NAME [-f MODELFILE]  make a model by a Modelfile (default: ./Modelfile)

They talk to the running model service: at --model-port, where OLLAMA_HOST says, or where this machine's Hearth has it. Where it
asks for a key, the variable HEARTH_KEY has one.

  --insecure   ask the registry over plain HTTP
  -f, --file   the Modelfile
  --model-port PORT, --data-dir DIR
`;

interface Command {
  readonly names: readonly string[];
  readonly file: string;
  readonly insecure: boolean;
  readonly client: ModelClient;
  readonly cwd: string;
}

async function parseCommand(
  name: Name,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Command> {
  const { own, values, positionals } = parseFlags(argv, {
    own: { file: { type: "string", short: "f" }, insecure: { type: "boolean" } },
    settings: ["model_port", "data_dir"],
    most: mostNames[name] ?? 1,
  });
  refuseUnused(own, { create: ["file"], pull: ["insecure"] }, name);
  const { file = "Modelfile", insecure = false } = own;
  const settings = resolveSettings(values, env, cwd);
  const named = values.model_port !== undefined || env[variableName("model_port")] !== undefined;
  const client = createModelClient(modelTransport(await findModelService(settings, named, env), env["HEARTH_KEY"]));
  return { names: positionals, file, insecure, client, cwd };
}

function onlyName({ names }: Command, command: string): string {
  const [name] = names;
  if (name === undefined) throw new SettingsError(`${command} needs the name of a model`);
  return name;
}

async function pull(command: Command): Promise<number> {
  const model = onlyName(command, "pull");
  const leaving = new AbortController();
  onStopRequest(() => leaving.abort());
  try {
    const body = { model, insecure: command.insecure };
    await showProgress(command.client.pull(body, leaving.signal), process.stdout);
    return 0;
  } catch (error) {
    const goesOn = `"hearth pull ${model}" goes on from here`;
    if (error instanceof CutAnswerError) throw new ModelServiceError(`${error.message}; ${goesOn}`, { cause: error });
    if (!leaving.signal.aborted) throw error;
    printLine("", process.stderr);
    printError(`stopped; ${goesOn}`);
    return cancelledCode;
  }
}

async function list({ client }: Command): Promise<number> {
  const rows = (await client.listModels()).map(({ name, digest, size, modified_at }) => [
    printable(name),
    digest.slice(0, 12),
    `${(size / 1e6).toFixed(1)} MB`,
    modified_at.slice(0, 10),
  ]);
  const table = [["NAME", "ID", "SIZE", "MODIFIED"], ...rows];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  for (const row of table)
    printLine(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  return 0;
}

async function remove({ client, names }: Command): Promise<number> {
  if (names.length === 0) throw new SettingsError("rm needs the name of a model");
  for (const model of names) {
    await client.remove(model);
    printLine(`deleted ${model}`);
  }
  return 0;
}

async function create(command: Command): Promise<number> {
  const { client, cwd, file } = command;
  const model = onlyName(command, "create");
  const path = resolve(cwd, file);
  const source = await readFile(path, "utf8").catch((error: unknown) => {
    throw new SettingsError(`the Modelfile cannot be read: ${(error as Error).message}`);
  });
  const { from, licenses, ...rest } = parseModelfile(source);
  const { paths, names } = splitSources(from, dirname(path));
  if (names.length > 1 || (names.length > 0 && paths.length > 0))
    throw new SettingsError(`${path}: FROM names one model, or files that exist`);
  const { signal } = new AbortController();
  const files = await uploadFiles(client, paths, signal, printLine);
  const base = names.length > 0 ? { from: names[0] } : { files };
  const { messages, ...more } = rest;
  const body = {
    model,
    ...base,
    ...more,
    ...(messages.length > 0 && { messages: [...messages] }),
    ...(licenses.length > 0 && { license: [...licenses] }),
  };
  await showProgress(client.create(body, signal), process.stdout);
  return 0;
}

const run = (command: Command): Promise<number> =>
  runChat(command.client, onlyName(command, "run"), { input: process.stdin, output: process.stdout });

const commands = { run, pull, list, ls: list, rm: remove, create };
type Name = keyof typeof commands;
const mostNames: Partial<Record<Name, number>> = { list: 0, ls: 0, rm: Infinity };

/** @returns the exit code: 1 when the model service refuses or does not answer */
export async function modelCommand(
  name: Name,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<number> {
  try {
    return await commands[name](await parseCommand(name, argv, env, cwd));
  } catch (error) {
    if (error instanceof ModelfileError) throw new SettingsError(error.message);
    if (!(error instanceof ModelServiceError)) throw error;
    printError(error.message);
    return 1;
  }
}
