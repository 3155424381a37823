import { inEnglish } from "../../contract/messages/in-english.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { projectFileProblem } from "./project-file.ts";
import { describeProblem, isProjects, pathSettings, type SettingOrigins } from "./read-settings.ts";

/** The problem of a path that a project's file names, and that has become a link out of its folder since the run began. */
export function projectPathProblem(settings: Settings, origins: SettingOrigins): string | undefined {
  const { folder, file } = origins;
  if (folder === undefined) return undefined;
  const named = [...pathSettings].filter((name) => isProjects(name, origins)).map((name) => [name, settings[name]]);
  const problem = projectFileProblem(folder, Object.fromEntries(named) as Partial<Settings>);
  return problem && inEnglish(describeProblem(problem, file));
}
