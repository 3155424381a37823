/**
 * Resolves the settings of a run. Precedence: defaults < hearth.config.json of the working directory < that of the data
 * directory, which the console writes < environment (HEARTH_…) < flags. A child process gets the resolved settings in
 * its first message, so that all processes of a run agree.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { inEnglish } from "../../contract/messages/in-english.ts";
import { message, type Message, type Text } from "../../contract/messages/message.ts";
import { hideCredentials } from "../../contract/process/hide-credentials.ts";
import { missingPaymentSetting, payWireOf } from "../../contract/process/payment-settings.ts";
import { secretSettings, settingsSchema, type SettingName, type Settings } from "../../contract/process/settings.ts";
import type { Bounds } from "../../file-system/bounded-file.ts";
import { homePath } from "../../file-system/home-path.ts";
import { realFile } from "../../file-system/real-file.ts";
import { baseFolder } from "../base-folder.ts";
import { findOwnCode } from "./code-folder.ts";
import { configFileName, readConfigFile } from "./config-file.ts";
import { isKnownDirectory, pullProblem } from "./known-directories.ts";
import { leakingSecret, liesInside, projectFileProblem, type ProjectFileProblem } from "./project-file.ts";
import { plainProblem } from "./plain-problem.ts";
import { samePort } from "./same-port.ts";
import { isSwitch } from "./setting-kind.ts";
import { workingDirectory } from "./working-directory.ts";

/** A bad flag, variable or file entry: one line that begins with its name. The command line then exits with 2. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly text: Text;
  constructor(text: Text, options?: ErrorOptions) {
    super(inEnglish(text), options);
    this.text = text;
  }
}

/** The settings that are paths, apart from the data directory. */
export const pathSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  ...(["ready_file", "model", "models_dir", "collections_dir", "routes", "routes_file"] as const),
  ...(["payment_merchant_key_file", "payment_platform_key_file"] as const),
]);
const names = Object.keys(settingsSchema.shape) as SettingName[];

type Values = Partial<Record<SettingName, unknown>>;

/** Name → flag: lower case, `-` for `_`. */
export const flagName = (name: string) => `--${name.toLowerCase().replaceAll("_", "-")}`;
/** Setting name → environment variable. */
export const variableName = (name: SettingName) => `HEARTH_${name.toUpperCase()}`;

/** The operating system's folder for application data. */
export function defaultDataDir(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  if (platform === "win32") return join(env["APPDATA"] ?? join(homedir(), "AppData", "Roaming"), "Hearth");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "Hearth");
  return join(baseFolder("XDG_DATA_HOME", join(homedir(), ".local", "share"), env), "hearth");
}

/** Ignores the empty variable of a switch, which compose files pass on unset; for other settings it is a value. */
function readEnvironment(env: NodeJS.ProcessEnv): Values {
  const given = names.map((name) => [name, env[variableName(name)]] as const);
  return Object.fromEntries(given.filter(([name, value]) => value !== undefined && !(value === "" && isSwitch(name))));
}

/**
 * @param where text before the name, if any
 * @throws SettingsError
 */
function refuseUnknown(values: object, where = ""): void {
  const unknown = Object.keys(values).find((key) => !names.includes(key as SettingName));
  if (unknown !== undefined) throw new SettingsError(`${where}unknown setting "${unknown}"`);
}

/** @throws SettingsError */
function readConfig(file: string): Values {
  let values: Record<string, unknown>;
  try {
    values = readConfigFile(file);
  } catch (error) {
    throw new SettingsError(`${file}: ${(error as Error).message}`);
  }
  refuseUnknown(values, `${file}: `);
  return values;
}

/** Names the setting and where it may be set. `trusted`: the file that may hold every setting, if any. */
export function describeProblem({ name, reason }: ProjectFileProblem, trusted?: string): Message {
  const values = { name, reason, flag: flagName(name), variable: variableName(name) };
  if (trusted === undefined) return message("project.refused", values);
  return message("project.refusedTrusted", { ...values, file: trusted });
}

interface Configs {
  readonly dataDir: unknown;
  /** The data directory's file. */
  readonly file: string;
  readonly own: Values;
  readonly project: Values;
  readonly restrictedTo?: string | undefined;
}

/** Expands `~` in paths that the user wrote. A project's file, which must not leave its folder, does without. */
export function withHome<Given extends Values>(values: Given): Given {
  const paths = [...pathSettings, "data_dir" as const].flatMap((name) => {
    const path = values[name];
    return typeof path === "string" ? [[name, homePath(path)] as const] : [];
  });
  return { ...values, ...Object.fromEntries(paths) };
}

/** Makes every path absolute, except that of the data directory. An empty one, which means none, stays. */
export function absolutePaths<Given extends Values>(values: Given, cwd: string): Given {
  const paths = [...pathSettings].flatMap((name) => {
    const path = values[name];
    return typeof path === "string" && path !== "" ? [[name, resolve(cwd, path)] as const] : [];
  });
  return { ...values, ...Object.fromEntries(paths) };
}

/** The two files of a run. `given`: the values of flags and variables. @throws SettingsError */
function readConfigs(given: Values, env: NodeJS.ProcessEnv, cwd: string): Configs {
  const projectFile = join(cwd, configFileName);
  const fileIn = (dataDir: unknown) => join(resolve(cwd, String(dataDir)), configFileName);
  const refuse = (problem: ProjectFileProblem | undefined, file: string, trusted?: string) => {
    if (problem !== undefined)
      throw new SettingsError(message("start.file", { file, problem: describeProblem(problem, trusted) }));
  };
  const users = given.data_dir ?? defaultDataDir(env);
  const usersFile = fileIn(users);
  if (realFile(usersFile) === realFile(projectFile))
    return { dataDir: users, file: usersFile, own: withHome(readConfig(usersFile)), project: {} };
  if (existsSync(projectFile) && !liesInside(cwd, projectFile))
    throw new SettingsError(`${projectFile} is a link out of the folder: put the file itself there`);
  const project = readConfig(projectFile);
  refuse(projectFileProblem(cwd, project), projectFile, usersFile);
  if (given.data_dir !== undefined || project.data_dir === undefined) {
    const own = withHome(readConfig(usersFile));
    refuse(leakingSecret(project, { ...own, ...given }), projectFile, usersFile);
    return { dataDir: users, file: usersFile, own, project };
  }
  // A data directory named by the working directory's file is as untrusted as that file.
  const file = fileIn(project.data_dir);
  if (project.data_dir !== "" && !isKnownDirectory(dirname(file), defaultDataDir(env)))
    throw new SettingsError(
      `${projectFile}: data_dir: ${dirname(file)} contains files that your Hearth did not create and others may have written: if they are yours, start once in this folder with --data-dir or HEARTH_DATA_DIR; otherwise name another folder there`,
    );
  const problem = project.data_dir === "" ? undefined : pullProblem(dirname(file), defaultDataDir(env));
  if (problem !== undefined) throw new SettingsError(`${projectFile}: data_dir: ${problem}`);
  const own = readConfig(file);
  refuse(projectFileProblem(cwd, own), file);
  refuse(leakingSecret(project, { ...own, ...given }), projectFile);
  refuse(leakingSecret(own, given), file);
  return { dataDir: project.data_dir, file, own, project, restrictedTo: cwd };
}

/** The origin of each setting's value; settings without one are defaults. */
export interface SettingOrigins {
  /** The configuration file that the console writes: the data directory's, whether it exists or not. */
  readonly file: string;
  /** The working directory, whose file names nothing outside it. */
  readonly folder?: string;
  /** The folder that this file must not reach beyond; absent if the file is the user's own. */
  readonly restrictedTo?: string | undefined;
  /** The values of the working directory's file, if that is another one. Their paths are absolute. */
  readonly project?: Values;
  readonly origins: Readonly<Partial<Record<SettingName, "project" | "file" | "environment" | "flag">>>;
}

/** Whether a setting comes from an untrusted file. */
export const isProjects = (name: SettingName, { origins, restrictedTo }: SettingOrigins): boolean =>
  origins[name] === "project" || (origins[name] === "file" && restrictedTo !== undefined);

/** The folders that a setting's path must not leave: that of an untrusted file, and `inner`. */
export const boundsOf = (name: SettingName, origins: SettingOrigins, ...inner: readonly string[]): Bounds =>
  isProjects(name, origins) && origins.folder !== undefined ? [origins.folder, ...inner] : undefined;

/** All settings, with the origin of each. @throws SettingsError */
export function resolveWithOrigins(
  passed: Values,
  env: NodeJS.ProcessEnv,
  cwd: string,
): { settings: Settings; from: SettingOrigins } {
  const flags: Values = withHome(
    Object.fromEntries(Object.entries(passed).filter(([, value]) => value !== undefined)) as Values,
  );
  // A program may pass anything, as startHearth of hearthkit does.
  refuseUnknown(flags);
  const fromEnv = withHome(readEnvironment(env));
  const { dataDir, file, project, own, restrictedTo } = readConfigs({ ...fromEnv, ...flags }, env, cwd);
  if (typeof own.data_dir === "string" && resolve(cwd, own.data_dir) !== dirname(file))
    throw new SettingsError(
      `${file}: data_dir: this is the folder of this file; set another with ${flagName("data_dir")}`,
    );
  const values: Values = { ...project, ...own, ...fromEnv, ...flags, data_dir: dataDir };
  const parsed = settingsSchema.safeParse(values, { error: plainProblem });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0] ?? "") as SettingName;
    const where =
      name in flags
        ? flagName(name)
        : name in fromEnv
          ? variableName(name)
          : `${name in own ? file : join(cwd, configFileName)}: ${name}`;
    const given = secretSettings.has(name) ? "the value" : JSON.stringify(values[name]);
    throw new SettingsError(hideCredentials(`${where}: ${given} is not valid (${issue?.message ?? "bad value"})`));
  }
  const same = samePort(parsed.data);
  if (same !== undefined)
    throw new SettingsError(
      `${same.names.map(flagName).join(" and ")} have the same port ${String(same.port)}; use different ports`,
    );
  const half = missingPaymentSetting(parsed.data);
  if (half !== undefined)
    throw new SettingsError(
      `${half.missing} is missing: payments by ${payWireOf(parsed.data)} require it if ${half.because} is set (${flagName(half.missing)} or ${variableName(half.missing)})`,
    );
  const code = findOwnCode(cwd, defaultDataDir(env));
  const routes = parsed.data.routes ?? (code?.isConfirmed === true ? code.file : undefined);
  const settings = absolutePaths({ ...parsed.data, routes, data_dir: resolve(cwd, parsed.data.data_dir) }, cwd);
  const named = (given: object, origin: string) => Object.fromEntries(Object.keys(given).map((name) => [name, origin]));
  const fromFiles = { ...named(project, "project"), ...named(own, "file") };
  const origins = { ...fromFiles, ...named(fromEnv, "environment"), ...named(flags, "flag") };
  return { settings, from: { file, folder: cwd, restrictedTo, project: absolutePaths(project, cwd), origins } };
}

/** Resolves all settings. @throws SettingsError naming the invalid flag, variable or file entry */
export const resolveSettings = (flags: Values, env = process.env, cwd = workingDirectory(env)): Settings =>
  resolveWithOrigins(flags, env, cwd).settings;

/** The origins of this process's run. */
let runOrigins: SettingOrigins | undefined;

export function rememberOrigins(origins: SettingOrigins): void {
  runOrigins = origins;
}

/** Resolves the settings of a run like `resolveSettings`, and remembers their origins. */
export function resolveRun(flags: Values, cwd = workingDirectory(process.env)): Settings {
  const { settings, from } = resolveWithOrigins(flags, process.env, cwd);
  rememberOrigins(from);
  return settings;
}

/** The origins of the settings of this process's run. */
export const readOrigins = (settings: Pick<Settings, "data_dir">): SettingOrigins =>
  runOrigins ?? { file: join(settings.data_dir, configFileName), origins: {} };

/** Whether the user has named a setting of this run by a flag or a variable. */
export const isNamed = (name: SettingName, settings: Pick<Settings, "data_dir">): boolean =>
  ["flag", "environment"].includes(readOrigins(settings).origins[name] ?? "");

/** Whether this run's settings are those of its flags, environment and files; those of `hearth exec` are its own. */
export const isFromEnvironment = (): boolean => runOrigins !== undefined;
