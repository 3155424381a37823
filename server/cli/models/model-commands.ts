/** `hearth run`, `pull`, `list`, `rm` and `create`: calls of the running model service. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { z } from "zod";
import { decodeText } from "../../file-system/decode-text.ts";
import { alignColumns } from "../../actions/text-columns.ts";
import { createModelClient, type ModelClient } from "../../contract/model/model-client.ts";
import { parseModelfile, ModelfileError } from "../../model/models/create/parse-modelfile.ts";
import { cancelledCode, onStopRequest } from "../../process/lifetime/stop-request.ts";
import { printable, printError, printLine, printLines } from "../../process/terminal/print-text.ts";
import { SettingsError, variableName } from "../../process/settings/read-settings.ts";
import { settingsBy, type CommandContext } from "../command.ts";
import { findModelService } from "./model-address.ts";
import type { createInput, listInput, pullInput, removeInput, runInput } from "./model-inputs.ts";
import { CutAnswerError, modelTransport, ModelServiceError } from "./model-transport.ts";
import { runChat } from "./run-chat.ts";
import { showProgress } from "./show-progress.ts";
import { splitSources, uploadFiles } from "./upload-files.ts";

interface ServiceInput {
  readonly model_port?: unknown;
  readonly data_dir?: unknown;
}

async function openClient(input: ServiceInput, context: CommandContext): Promise<ModelClient> {
  const { env } = context;
  const settings = settingsBy(input, ["model_port", "data_dir"], context);
  const isNamed = input.model_port !== undefined || env[variableName("model_port")] !== undefined;
  return createModelClient(modelTransport(await findModelService(settings, isNamed, env), env["HEARTH_KEY"]));
}

/** A command that calls the model service. @returns its exit code: 1 when the service refuses or does not answer */
const asking =
  <Input extends ServiceInput>(ask: (client: ModelClient, input: Input, cwd: string) => Promise<number>) =>
  async (input: Input, context: CommandContext): Promise<number> => {
    try {
      return await ask(await openClient(input, context), input, context.cwd);
    } catch (error) {
      if (error instanceof ModelfileError) throw new SettingsError(error.message);
      if (!(error instanceof ModelServiceError)) throw error;
      printError(error.message);
      return 1;
    }
  };

export const pullCommand = asking(async (client, { model, insecure = false }: z.output<typeof pullInput>) => {
  const leaving = new AbortController();
  onStopRequest(() => leaving.abort());
  try {
    await showProgress(client.pull({ model, insecure }, leaving.signal), process.stdout);
    return 0;
  } catch (error) {
    const continues = `continue with "hearth pull ${model}"`;
    if (error instanceof CutAnswerError)
      throw new ModelServiceError(`${error.message}; ${continues}`, { cause: error });
    if (!leaving.signal.aborted) throw error;
    printLine("", process.stderr);
    printError(`stopped; ${continues}`);
    return cancelledCode;
  }
});

export const listCommand = asking<z.output<typeof listInput>>(async (client) => {
  const rows = (await client.listModels()).map(({ name, digest, size, modified_at }) => [
    printable(name),
    digest.slice(0, 12),
    `${(size / 1e6).toFixed(1)} MB`,
    modified_at.slice(0, 10),
  ]);
  const table = [["NAME", "ID", "SIZE", "MODIFIED"], ...rows];
  printLines(`${alignColumns(table)}\n`);
  return 0;
});

export const rmCommand = asking(async (client, { models }: z.output<typeof removeInput>) => {
  for (const model of models) {
    await client.remove(model);
    printLine(`deleted ${model}`);
  }
  return 0;
});

export const createCommand = asking(async (client, input: z.output<typeof createInput>, cwd) => {
  const { name: model, file = "Modelfile" } = input;
  const path = resolve(cwd, file);
  const source = await readFile(path)
    .then((bytes) => decodeText(bytes))
    .catch((error: unknown) => {
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
});

export const chatCommand = asking((client, { model }: z.output<typeof runInput>) =>
  runChat(client, model, { input: process.stdin, output: process.stdout }),
);
