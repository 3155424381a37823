/** `hearth types`: a typed client of the application server, with the project's own collections and routes. */
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Settings } from "../../contract/process/settings.ts";
import { hideCredentials } from "../../contract/process/hide-credentials.ts";
import {
  isProjects,
  resolveWithOrigins,
  SettingsError,
  type SettingOrigins,
} from "../../process/settings/read-settings.ts";
import { printError, printLine } from "../../process/terminal/print-text.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { unservedFiles } from "../../supervisor/unserved-files.ts";
import type { CommandContext } from "../command.ts";
import { makeRoomFor } from "../output-file.ts";
import { withOwnHearth } from "../own-hearth.ts";
import type { TypesInput } from "./types-input.ts";
import { writeClient, type Description, type WrittenClient } from "./write-client.ts";

/** Settings that change the description. */
const shaping = ["require_userinfo", "phone_is_identity", "basic_auth", "enum_as_text"] as const;

interface Options {
  readonly out: string;
  readonly check: boolean;
  readonly url: string | undefined;
  /** The settings of the Hearth that is started. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly origins: SettingOrigins;
}

/** @throws SettingsError */
function readOptions(input: TypesInput, { env, cwd }: CommandContext): Options {
  const { out = "hearth-client.js", url, check = false, ...values } = input;
  if (!/\.m?js$/.test(out)) throw new SettingsError(`--out: ${out} must end in .js or .mjs`);
  if (url !== undefined && !/^https?:/.test(url))
    throw new SettingsError(`--url: ${hideCredentials(url)} is not an http or https URL`);
  const { settings, from } = resolveWithOrigins(values, env, cwd);
  return {
    out: resolve(cwd, out),
    check,
    url,
    origins: ofPlaces(settings, from),
    settings: {
      ...Object.fromEntries(shaping.map((name) => [name, settings[name]])),
      collections_dir: settings.collections_dir ?? join(settings.data_dir, "collections"),
      routes_file: settings.routes_file ?? join(settings.data_dir, "routes.json"),
    },
  };
}

/** The origins of the places of collections and routes, for a Hearth with data of its own. */
function ofPlaces(settings: Settings, { file, folder, ...from }: SettingOrigins): SettingOrigins {
  const isForeign = (name: "collections_dir" | "routes_file") =>
    isProjects(settings[name] === undefined ? "data_dir" : name, { file, ...from });
  const foreign = (["collections_dir", "routes_file"] as const).filter(isForeign);
  return {
    file,
    ...(folder !== undefined && { folder }),
    origins: Object.fromEntries(foreign.map((name) => [name, "project" as const])),
  };
}

const answerWithinSeconds = 10;

/** The parts of a description that every client needs. */
const readable = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        parameters: z.array(z.unknown()).optional(),
        requestBody: z.object({ content: z.object({}) }).optional(),
        responses: z.object({}),
      }),
    ),
  ),
  components: z.object({ schemas: z.object({}) }),
});

/** @throws RunError */
async function describedAt(app: string): Promise<Description> {
  const address = `${app.replace(/\/$/, "")}/swagger/docs/v1`;
  const signal = AbortSignal.timeout(answerWithinSeconds * 1000);
  const hidden = hideCredentials(address);
  const late = `${hidden} did not respond within ${String(answerWithinSeconds)} s`;
  const response = await fetch(address, { signal }).catch((error: unknown) => {
    // The message may quote the address.
    const why = hideCredentials((error as Error).message);
    throw new RunError(signal.aborted ? late : `no server responds at ${hidden}: ${why}`);
  });
  if (!response.ok) throw new RunError(`${hidden} returned ${String(response.status)}`);
  const description: unknown = await response.json().catch(() => undefined);
  if (readable.safeParse(description).success) return description as Description;
  throw new RunError(
    signal.aborted ? late : `${hidden} returned no API description: name an application server with --url`,
  );
}

const typesFile = (file: string) => file.replace(/\.(m?)js$/, ".d.$1ts");

function finish({ code, types }: WrittenClient, { out, check }: Options): number {
  const files = [
    { file: out, text: code },
    { file: typesFile(out), text: types },
  ];
  const statsOf = (file: string) => lstatSync(file, { throwIfNoEntry: false });
  // A clone may contain a link to any file of the user, or a pipe, which never ends.
  const odd = files.find(({ file }) => statsOf(file)?.isFile() === false);
  if (odd !== undefined)
    throw new RunError(`${odd.file} is not a plain file: remove it, or name another one with --out`);
  const isOutdated = ({ file, text }: (typeof files)[number]) =>
    statsOf(file)?.size !== Buffer.byteLength(text) || readFileSync(file, "utf8") !== text;
  const outdated = files.filter(isOutdated);
  if (!check) for (const { file, text } of files) writeFileSync(file, text);
  for (const { file } of check ? outdated : files) {
    if (check) printError(`${file} is outdated: run hearth types again`);
    else printLine(file);
  }
  return check && outdated.length > 0 ? 1 : 0;
}

export async function writeTypes(input: TypesInput, context: CommandContext): Promise<number> {
  const options = readOptions(input, context);
  if (!options.check) for (const file of [options.out, typesFile(options.out)]) makeRoomFor(file, "--out");
  if (options.url !== undefined) return finish(writeClient(await describedAt(options.url)), options);
  return withOwnHearth(
    context.host,
    { ...options.settings, log_level: "fatal" },
    async (addresses) => {
      const description = await describedAt(addresses.app);
      // The client would lack the collection or routes of the file.
      const unserved = await unservedFiles(addresses.console);
      if (unserved.length > 0) throw new RunError(unserved.join("; "));
      return finish(writeClient(description), options);
    },
    options.origins && { origins: options.origins },
  );
}
