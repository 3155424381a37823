/** Finds misspelt variables. They are not errors, since an environment may have variables of another version. */
import { settingsSchema, type SettingName, type Settings } from "../../contract/process/settings.ts";
import { parseUpstream } from "../../contract/process/upstream-setting.ts";
import { isLoginCode, isSecretAnywhere, isSecretOfProvider, plainName } from "../../contract/secret-names.ts";
import { variableName } from "./read-settings.ts";

/** The variables that a user may set. */
const forUsers = [
  ...(Object.keys(settingsSchema.shape) as SettingName[]).map(variableName),
  "HEARTH_CONSOLE_TOKEN",
  "HEARTH_KEY",
];

const known = new Set([
  ...forUsers,
  // Variables for the command that `hearth exec` runs.
  "HEARTH_APP_URL",
  "HEARTH_CONSOLE_URL",
  "HEARTH_MODEL_URL",
  "HEARTH_PROVIDER_URL",
  "HEARTH_STAND_IN_URL",
  "HEARTH_TOKEN",
  // Between the processes of a run.
  "HEARTH_COMMAND",
  "HEARTH_RUNNER_SOCKET",
  "HEARTH_TEMPORARY_FOLDERS",
  // Variables of this repository's scripts.
  "HEARTH_CONFIGURATION",
  "HEARTH_UNHANDLED_ERRORS_FILE",
]);
/** Variables of this repository's tests and measurements, whose environment a Hearth under test may get. */
const ofTests = /^HEARTH_(?:BENCH|FUZZ|TEST)_/;
/** Kubernetes gives every container variables of a service that is called hearth. */
const ofService = /^HEARTH_(?:SERVICE_(?:HOST|PORT)(?:_\w+)?=|PORT_\d+_\w+=|PORT=\w+:)/;

/** Variables of secrets in copied commands of recorded requests, such as HEARTH_PASSWORD and HEARTH_PASSWORD_2. */
function isOfCopiedCommand(name: string): boolean {
  const plain = plainName(name.slice("HEARTH_".length).replace(/_\d+$/, ""));
  return isSecretAnywhere(plain) || isSecretOfProvider(plain) || isLoginCode(plain);
}

/** The number of letters that differ, are missing or are too many. */
function differences(written: string, meant: string): number {
  let row = [0, ...Array.from(meant, (_, at) => at + 1)];
  for (const letter of written) {
    const next = [(row[0] ?? 0) + 1];
    for (const [at, other] of [...meant].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The most similar variable; undefined if none is similar. */
function nearest(name: string): string | undefined {
  const most = Math.max(1, Math.floor((name.length - "HEARTH_".length) / 4));
  const [best] = forUsers
    .map((meant) => ({ meant, distance: differences(name.toUpperCase(), meant) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= most ? best.meant : undefined;
}

/** One line for each unknown variable that looks like Hearth's, without its value, which may be a secret. */
export function unknownVariables(env: NodeJS.ProcessEnv, { upstreams }: Pick<Settings, "upstreams">): string[] {
  const chosen = upstreams.map((upstream) => parseUpstream(upstream).keyVariable);
  return Object.keys(env)
    .filter((name) => name.startsWith("HEARTH_") && !known.has(name))
    .filter((name) => !ofService.test(`${name}=${env[name] ?? ""}`) && !ofTests.test(name) && !chosen.includes(name))
    .map((name) => ({ name, meant: nearest(name) }))
    .filter(({ name, meant }) => meant !== undefined || !isOfCopiedCommand(name))
    .map(({ name, meant }) => {
      const advice = meant === undefined ? "--help lists the known ones" : `did you mean ${meant}?`;
      return `unknown variable ${name} has no effect; ${advice}`;
    });
}
