/**
 * `startHearth` of `import "hearthkit"`: a Hearth on free ports with empty data, for the tests of a process. Many can
 * run at the same time, each with processes and a folder of its own.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isPathSegment } from "../contract/app/plural-names.ts";
import { nodeVersionProblem } from "../process/installation/node-version.ts";
import type { RulesText } from "../supervisor/create-scripted-model.ts";
import { createHearth } from "./create-hearth.ts";
import { decided } from "./decided.ts";
import { definedOptions } from "./defined-options.ts";
import type { Hearth } from "./hearth.ts";
import { dataDirIn, killBeforeRemoval, makeFolder, removeFolder } from "./instance-folder.ts";
import { runInstance } from "./run-instance.ts";
import type { RunningServices, StartOptions } from "./running-services.ts";
import type { HearthSettings, ModelRules, SimulatedUser } from "./shapes.ts";

// For users' own types: the package's name exports only this module.
export type { Clock, Hearth, InjectedFault } from "./hearth.ts";
export type { ButtonEvent, Phone, PhoneOptions, PhoneResponse } from "./phone/phone.ts";
export type { PaymentOutcome, PickedFile, PromptName, Prompts } from "./phone/prompts.ts";
export type { AppFault, ModelRules, PlatformFault, RecordedRequest, RequestFilter, SimulatedUser } from "./shapes.ts";

/** Options of a start, including every setting by its name. Paths are relative to the working directory. */
export interface HearthOptions extends HearthSettings {
  /**
   * Collections by their plural names: `books` is served at `/api/books`. Each is a JSON Schema, optionally with
   * `x-hearth`. They replace `collections_dir`.
   */
  readonly collections?: Readonly<Record<string, object>>;
  /** People of the simulated platform, by name. Others are created when they log in. */
  readonly users?: Readonly<Record<string, SimulatedUser>>;
  /** A GGUF file, or a folder of them, to serve in addition to Hearth's own small model; false: no model service. */
  readonly model?: string | false;
  /** Scripted models by name: rules, or a file of them. Without `model`, they are the only ones, and no engine runs. */
  readonly models?: Readonly<Record<string, ModelRules | string>>;
}

async function writeCollections(folder: string, collections: Readonly<Record<string, object>>): Promise<void> {
  await mkdir(folder);
  for (const [name, schema] of Object.entries(collections)) {
    if (!isPathSegment(name))
      throw new Error(
        `collections: "${name}" is not valid in a path: use lower-case letters and digits, '-' between words`,
      );
    await writeFile(join(folder, `${name}.json`), JSON.stringify(schema));
  }
}

/** @throws the system's error for a file that cannot be read */
async function readRules(models: NonNullable<HearthOptions["models"]>): Promise<Map<string, RulesText>> {
  const read = Object.entries(models).map(async ([name, rules]): Promise<[string, RulesText]> => {
    if (typeof rules !== "string") return [name, { text: JSON.stringify(rules), file: "rules.json" }];
    return [name, { text: await readFile(rules), file: rules }];
  });
  return new Map(await Promise.all(read));
}

/** Runs the supervised services, with an engine unless all models are scripted. */
async function runAll(options: StartOptions, { model, models }: HearthOptions): Promise<RunningServices> {
  const { runServices } = await import("./run-services.ts");
  return runServices(options, models !== undefined && model === undefined ? ["app", "model"] : undefined);
}

/**
 * Starts a Hearth. Two instances share nothing. @throws Error in one line: an invalid setting or collection, or why it
 * cannot run
 */
export async function startHearth(options: HearthOptions = {}): Promise<Hearth> {
  const { collections, users = {}, model, models, ...settings } = options;
  const oldNode = nodeVersionProblem(process.versions.node);
  if (oldNode !== undefined) throw new Error(oldNode);
  const surplus = Object.keys(definedOptions(settings)).find((name) => name in decided);
  if (surplus !== undefined) throw new Error(`${surplus} cannot be set here: startHearth chooses it`);
  if (collections !== undefined && settings.collections_dir !== undefined)
    throw new Error("collections and collections_dir are both set: set only one");
  if (models !== undefined && model === false)
    throw new Error("models and model: false are both set: scripted models need the model service");
  const rules = await readRules(models ?? {});
  const named = [collections, settings.collections_dir, settings.routes_file, settings.routes];
  const hasFiles = named.some((one) => one !== undefined);
  const folder = makeFolder();
  const ownCollections = join(folder, "collections");
  try {
    if (collections !== undefined) await writeCollections(ownCollections, collections);
    const values = {
      // Its data is temporary anyway.
      durability: "none",
      prompt_cache_mb: 0,
      // Armed faults would be logged as errors, too. Problems of the test's files are thrown.
      log_level: "fatal",
      // Several instances may run side by side.
      stand_in_port: 0,
      ...definedOptions(settings),
      ...(typeof model === "string" && { model }),
      ...(collections !== undefined && { collections_dir: ownCollections }),
      data_dir: dataDirIn(folder),
      app_port: 0,
      provider_port: 0,
      model_port: 0,
      headless: true,
    };
    const start = { values, folder, onStart: (kill: () => void) => killBeforeRemoval(folder, kill) };
    const { addresses, stop } = await (model === false ? runInstance(start) : runAll(start, options));
    const end = async () => {
      await stop();
      await removeFolder(folder);
    };
    try {
      return await createHearth(addresses, { users, rules, hasFiles }, end);
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}
