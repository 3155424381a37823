/** `hearth types`: a typed client of the application server, with the project's own collections and routes. */
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Settings } from "../../contract/process/settings.ts";
import { hideCredentials } from "../../contract/process/hide-credentials.ts";
import {
  isProjects,
  parseFlags,
  resolveWithOrigins,
  SettingsError,
  type SettingOrigins,
} from "../../process/settings/read-settings.ts";
import { printError, printLine } from "../../process/terminal/print-text.ts";
import type { ProgramHost } from "../../supervisor/program-host.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { unservedFiles } from "../../supervisor/unserved-files.ts";
import { makeRoomFor } from "../output-file.ts";
import { withOwnHearth } from "../own-hearth.ts";
import { writeClient, type Description, type WrittenClient } from "./write-client.ts";

export const typesHelp = `Usage: hearth types [--out FILE.js] [--check] [--url URL]

Writes a client of the application server's API, FILE.js, and its types, FILE.d.ts. Both hold the project's own collections
and routes beside Hearth's, and need no package:

  import { createHearthClient } from "./hearth-client.js";
  const hearth = createHearthClient({ baseUrl: "http://127.0.0.1:3080", token });
  const { body } = await hearth.listArticles({ query: { page_size: 5 } });

The API is that of a Hearth which is started for this with the settings of here: collections_dir and routes_file, else the
files of the data directory. It ends afterwards and touches no data.

  --out FILE.js          hearth-client.js unless given; a name that ends in .mjs gives .d.mts
  --check                write nothing; exit with 1 where the files are not what would be written, for CI
  --url URL              ask the application server that runs there instead
  --collections-dir DIR, --routes-file FILE, --data-dir DIR
                         as for a start
`;

/** Settings that change the description. */
const shaping = ["require_userinfo", "phone_is_identity", "basic_auth", "enum_as_text"] as const;

interface Options {
  readonly out: string;
  readonly check: boolean;
  readonly url: string | undefined;
  /** Of the Hearth that is started. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly origins: SettingOrigins;
}

function parseArguments(argv: readonly string[], cwd: string): Options {
  const { own, values } = parseFlags(argv, {
    own: { out: { type: "string" }, check: { type: "boolean" }, url: { type: "string" } },
    settings: ["collections_dir", "routes_file", "data_dir"],
    most: 0,
  });
  const { out = "hearth-client.js", url } = own;
  if (!/\.m?js$/.test(out)) throw new SettingsError(`--out: ${out} must end in .js or .mjs`);
  if (url !== undefined && !/^https?:/.test(url))
    throw new SettingsError(`--url: ${hideCredentials(url)} is no URL of http or https`);
  const { settings, from } = resolveWithOrigins(values, process.env, cwd);
  return {
    out: resolve(cwd, out),
    check: own.check === true,
    url,
    origins: ofPlaces(settings, from),
    settings: {
      ...Object.fromEntries(shaping.map((name) => [name, settings[name]])),
      collections_dir: settings.collections_dir ?? join(settings.data_dir, "collections"),
      routes_file: settings.routes_file ?? join(settings.data_dir, "routes.json"),
    },
  };
}

/** Where the places of collections and routes come from, as they are given to a Hearth with data of its own. */
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

/** What a client cannot be written without. */
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
  const shown = hideCredentials(address);
  const late = `${shown} has not answered for ${String(answerWithinSeconds)} s`;
  const response = await fetch(address, { signal }).catch((error: unknown) => {
    // It may quote the address.
    const why = hideCredentials((error as Error).message);
    throw new RunError(signal.aborted ? late : `nothing answers at ${shown}: ${why}`);
  });
  if (!response.ok) throw new RunError(`${shown} answered ${String(response.status)}`);
  const description: unknown = await response.json().catch(() => undefined);
  if (readable.safeParse(description).success) return description as Description;
  throw new RunError(
    signal.aborted ? late : `${shown} answered no description of an API: name an application server by --url`,
  );
}

const typesFile = (file: string) => file.replace(/\.(m?)js$/, ".d.$1ts");

function finish({ code, types }: WrittenClient, { out, check }: Options): number {
  const files = [
    { file: out, text: code },
    { file: typesFile(out), text: types },
  ];
  const statsOf = (file: string) => lstatSync(file, { throwIfNoEntry: false });
  // A clone may have a link there, which leads to any file of the user's, or a pipe, which never ends.
  const odd = files.find(({ file }) => statsOf(file)?.isFile() === false);
  if (odd !== undefined) throw new RunError(`${odd.file} is no plain file: remove it, or name another one by --out`);
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

/** @param argv what follows `types` on the command line */
export async function typesCommand(argv: readonly string[], cwd: string, host: ProgramHost): Promise<number> {
  const options = parseArguments(argv, cwd);
  if (!options.check) for (const file of [options.out, typesFile(options.out)]) makeRoomFor(file, "--out");
  if (options.url !== undefined) return finish(writeClient(await describedAt(options.url)), options);
  return withOwnHearth(
    host,
    { ...options.settings, log_level: "fatal" },
    async (addresses) => {
      const description = await describedAt(addresses.app);
      // Its collection or routes would be missing.
      const unserved = await unservedFiles(addresses.console);
      if (unserved.length > 0) throw new RunError(unserved.join("; "));
      return finish(writeClient(description), options);
    },
    options.origins,
  );
}
