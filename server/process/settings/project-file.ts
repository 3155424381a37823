/**
 * Restricts the settings in `hearth.config.json` of the working directory. That folder may come from an untrusted
 * source, such as a fresh clone. Its file must not open this machine to others, take the user's data, or reach beyond
 * the folder.
 */
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { defaultConsolePort, takesConsolesPort } from "../../contract/process/port-settings.ts";
import { message, type Message } from "../../contract/messages/message.ts";
import { secretsSentTo, settingTrust } from "../../contract/process/setting-trust.ts";
import { settingsSchema, type SettingName } from "../../contract/process/settings.ts";
import { isExactlyWithin } from "../../file-system/compare-paths.ts";
import { realPath } from "../../file-system/real-file.ts";

/** `inside`: a path in the file's folder. `announced`: an address, reported at the start. `elsewhere`: not in this file. */
type Rule = "any" | "inside" | "announced" | "elsewhere";

function ruleOf(name: SettingName): Rule {
  const { by, does } = settingTrust[name];
  if (!by.includes("project file")) return "elsewhere";
  if (does === "none") return "any";
  return does === "reads" ? "inside" : "announced";
}

const names = Object.keys(settingTrust) as SettingName[];

export const projectFileRules = Object.fromEntries(names.map((name) => [name, ruleOf(name)])) as Readonly<
  Record<SettingName, Rule>
>;

/** The settings whose values in such a file are addresses of other machines, or may be. */
export const announcedSettings = names.filter((name) => projectFileRules[name] === "announced");

/** A setting that such a file must not contain. */
export interface ProjectFileProblem {
  readonly name: SettingName;
  readonly reason: Message;
}

type Values = Readonly<Record<string, unknown>>;

/** The sources of the values of a run. */
interface Sources {
  /** The working directory's file. */
  readonly project: Values;
  /** The data directory's file. */
  readonly own: Values;
  /** Flags and variables. */
  readonly given: Values;
  /** The folder that the data directory's file must not reach beyond, if the file is not the user's own. */
  readonly restrictedTo: string | undefined;
}

/** The first forbidden value in the files of a run. */
export function problemOfFiles({ project, own, given, restrictedTo }: Sources): ProjectFileProblem | undefined {
  const leak = leakingSecret(project, { ...own, ...given });
  if (leak !== undefined || restrictedTo === undefined) return leak;
  return projectFileProblem(restrictedTo, own) ?? leakingSecret(own, given);
}

/** Whether an address in such a file would receive a secret of the user's, who has not named the address. */
export function leakingSecret(project: Values, users: Values): ProjectFileProblem | undefined {
  for (const name of announcedSettings) {
    const secret = name in project && !(name in users) ? secretsSentTo(name).find((one) => one in users) : undefined;
    if (secret !== undefined) return { name, reason: message("project.leak", { secret }) };
  }
  return undefined;
}

/**
 * @param folder that the file must not reach beyond
 * @param values the file's content; invalid values are ignored here
 */
export function projectFileProblem(folder: string, values: Values): ProjectFileProblem | undefined {
  for (const [name, value] of Object.entries(values) as [SettingName, unknown][]) {
    const reason = problemOf(name, value, folder);
    if (reason !== undefined) return { name, reason };
  }
  return undefined;
}

function problemOf(name: SettingName, value: unknown, folder: string): Message | undefined {
  if (projectFileRules[name] === "elsewhere") return message("project.elsewhere");
  if (takesConsolesPort(name, value)) return message("project.consolePort", { port: String(defaultConsolePort) });
  if (projectFileRules[name] === "inside" && value !== "") return problemOfPath(name, value, folder);
  if (name === "cors_origins") {
    const wide = settingsSchema.shape.cors_origins.safeParse(value).data?.find((one) => /[*]|^null$/.test(one));
    if (wide !== undefined) return message("project.origin", { value: JSON.stringify(wide) });
  }
  return undefined;
}

function problemOfPath(name: SettingName, value: unknown, folder: string): Message | undefined {
  const values = { value: String(JSON.stringify(value)) };
  // Other kinds of values are not used as paths before the schema refuses them.
  if (typeof value !== "string" || value.includes("\0")) return message("project.noPath", values);
  const path = resolve(folder, value);
  // On Windows, accessing such a path would log in at another machine, so it is refused first.
  if (/^[\\/]{2}/.test(value) || !liesInside(folder, path)) return message("project.outside", values);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile() && !found.isDirectory()) return message("project.special", values);
  // Files written to and removed from the data directory must stay in it.
  return name === "data_dir" && holdsLinks(path) ? message("project.links", values) : undefined;
}

/** Whether a path, wherever links lead, is in a folder. */
export function liesInside(folder: string, path: string): boolean {
  const real = realPath(path);
  return real !== undefined && isExactlyWithin(realpathSync.native(folder), real);
}

function holdsLinks(folder: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  return readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink());
}
