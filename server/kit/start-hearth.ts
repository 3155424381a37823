/**
 * `startHearth` of `import "hearthkit"`: a Hearth on free ports with empty data, for the tests of a process. Many can
 * run at the same time, each with processes and a folder of its own.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isPathSegment } from "../app/collections/schema/plural-names.ts";
import { nodeVersionProblem } from "../process/installation/node-version.ts";
import { absolutePaths, resolveSettings } from "../process/settings/read-settings.ts";
import { createHearth } from "./create-hearth.ts";
import { decided } from "./decided.ts";
import { definedOptions } from "./defined-options.ts";
import type { Hearth } from "./hearth.ts";
import { dataDirIn, killBeforeRemoval, makeFolder, removeFolder, temporaryFoldersOf } from "./instance-folder.ts";
import { runServices } from "./run-services.ts";
import type { HearthSettings, SimulatedUser } from "./shapes.ts";

// For users' own types: the package's name exports only this module.
export type { Clock, Hearth, InjectedFault } from "./hearth.ts";
export type { PaymentOutcome, Phone, PhoneResponse } from "./phone.ts";
export type { AppFault, PlatformFault, RecordedRequest, RequestFilter, SimulatedUser } from "./shapes.ts";

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
}

async function writeCollections(folder: string, collections: Readonly<Record<string, object>>): Promise<void> {
  await mkdir(folder);
  for (const [name, schema] of Object.entries(collections)) {
    if (!isPathSegment(name))
      throw new Error(
        `collections: "${name}" cannot stand in a path: lower-case letters and digits, '-' between words`,
      );
    await writeFile(join(folder, `${name}.json`), JSON.stringify(schema));
  }
}

/**
 * Starts a Hearth. Two instances share nothing. @throws Error in one line: an invalid setting or collection, or why it
 * cannot run
 */
export async function startHearth(options: HearthOptions = {}): Promise<Hearth> {
  const { collections, users = {}, model, ...settings } = options;
  const oldNode = nodeVersionProblem(process.versions.node);
  if (oldNode !== undefined) throw new Error(oldNode);
  const surplus = Object.keys(definedOptions(settings)).find((name) => name in decided);
  if (surplus !== undefined) throw new Error(`${surplus} cannot be set: startHearth decides it`);
  if (collections !== undefined && settings.collections_dir !== undefined)
    throw new Error("collections and collections_dir are both given: give one of them");
  const folder = makeFolder();
  const ownCollections = join(folder, "collections");
  try {
    if (collections !== undefined) await writeCollections(ownCollections, collections);
    const resolved = resolveSettings(
      {
        // Its data is temporary anyway.
        durability: "normal",
        prompt_cache_mb: 0,
        // Armed faults would be logged as errors, too. Problems of the test's files are thrown.
        log_level: "fatal",
        // Several instances may run side by side.
        stand_in_port: 0,
        // Relative to the working directory, not to the folder below, which only excludes configuration files.
        ...absolutePaths({ ...definedOptions(settings), ...(typeof model === "string" && { model }) }, process.cwd()),
        ...(collections !== undefined && { collections_dir: ownCollections }),
        data_dir: dataDirIn(folder),
        app_port: 0,
        provider_port: 0,
        model_port: 0,
        headless: true,
      },
      {},
      folder,
    );
    const { addresses, stop } = await runServices(
      resolved,
      temporaryFoldersOf(folder),
      (kill) => killBeforeRemoval(folder, kill),
      model === false ? ["app"] : undefined,
    );
    const end = async () => {
      await stop();
      await removeFolder(folder);
    };
    try {
      return await createHearth(addresses, users, end);
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}
