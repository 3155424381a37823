import type { SettingName, Settings } from "../../contract/process/settings.ts";
import { listSettings, restartForSettings, updateSettings } from "../../contract/console/setting-endpoints.ts";
import { message, type Text } from "../../contract/messages/message.ts";
import type { FromService } from "../../contract/process/process-messages.ts";
import { realFile } from "../../file-system/real-file.ts";
import { askerOf, isTrusted, type Asker } from "../../http/outgoing/asker.ts";
import type { Targets } from "../../http/outgoing/targets.ts";
import { HttpError } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import { createTurns } from "../../process/create-turns.ts";
import { readConfigFile, writeConfigFile } from "../../process/settings/config-file.ts";
import { openKeyFile } from "../../process/keys/key-file.ts";
import { problemOfFiles } from "../../process/settings/project-file.ts";
import { describeProblem, withHome, type SettingOrigins } from "../../process/settings/read-settings.ts";
import { checkStart, type PartsOfStart } from "./check-start.ts";
import { checkedValues } from "./checked-values.ts";
import { checkNamedTargets } from "./named-targets.ts";
import { keysConsoleRoutes } from "./keys-console-routes.ts";
import { effectOf, nextSettings } from "./next-settings.ts";
import { isPending, showSetting, settingNames } from "./setting-view.ts";

interface Deps {
  /** The run's settings. Changes that take effect at once are made in this object. */
  readonly settings: Settings;
  readonly origins: SettingOrigins;
  readonly targets: Targets;
  readonly partsOfStart: PartsOfStart;
  readonly requestRestart: (request: Extract<FromService, { type: "restart" }>) => void;
}

/** @throws HttpError 409 that says what is wrong with the file, which anybody may have edited meanwhile */
function readWritten(file: string): Record<string, unknown> {
  try {
    return readConfigFile(file);
  } catch (error) {
    throw unreadable(file, (error as Error).message);
  }
}

const unreadable = (file: string, problem: Text) =>
  new HttpError(409, "unreadable_settings", message("start.file", { file, problem }));

/** The console's operations on the settings of the run and its configuration file, and on the keys beside it. */
export function settingsConsoleRoutes(deps: Deps): Route[] {
  const { settings, targets, requestRestart } = deps;
  const { file, restrictedTo } = deps.origins;
  let from = deps.origins;
  const inHome = (values: Readonly<Record<string, unknown>>) =>
    restrictedTo === undefined ? withHome(values) : values;
  const readOwn = () => inHome(readWritten(file));
  const page = () => {
    const written = readOwn();
    const view = (name: SettingName) =>
      showSetting(name, { settings, origin: from.origins[name], written }, from.project);
    return { data: { file, settings: settingNames.map(view) } };
  };
  /** The settings of this run that came by flags and variables. */
  const passed = (): Partial<Settings> => {
    const names = settingNames.filter((name) => ["flag", "environment"].includes(from.origins[name] ?? ""));
    return Object.fromEntries(names.map((name) => [name, settings[name]]));
  };
  /** Applies the pending settings with this effect. @throws HttpError 409 for a setting that the file may not have */
  const applyPending = (effect: ReturnType<typeof effectOf>) => {
    const written = readOwn();
    const refused = problemOfFiles({ project: from.project ?? {}, own: written, given: passed(), restrictedTo });
    if (refused) throw unreadable(file, describeProblem(refused));
    const pending = settingNames.filter(
      (name) => effectOf(name) === effect && isPending(name, { settings, origin: from.origins[name], written }),
    );
    const next = nextSettings(pending, { settings, from, written });
    Object.assign(settings, next.settings);
    from = next.from;
    return next;
  };
  try {
    // A process that is started again has the settings of the start.
    applyPending("at_once");
  } catch {
    // A request for the settings reports the problem of the file.
  }
  /** The whole file is checked and written, so another change in between would be lost. */
  const inTurn = createTurns();
  async function change(typed: Readonly<Record<string, unknown>>, asker: Asker) {
    const values = inHome(typed);
    const checked = checkedValues(readOwn(), values, passed(), settings.data_dir, deps.origins);
    await checkNamedTargets(values, asker, targets);
    const start = { changed: Object.keys(values), next: checked.next, running: settings, passed: passed() };
    await checkStart({ ...start, parts: deps.partsOfStart });
    // The user's own link stays; one that came with a working directory may lead anywhere.
    writeConfigFile(restrictedTo === undefined ? realFile(file) : file, checked.values);
    applyPending("at_once");
    return page();
  }
  return [
    ...keysConsoleRoutes(openKeyFile(settings.data_dir)),
    route(listSettings, page),
    route(updateSettings, ({ body: { values } }, { req }) => inTurn(() => change(values, askerOf(req, isTrusted)))),
    route(restartForSettings, (_input, { res }) => {
      const next = applyPending("after_restart");
      const changed = { values: { ...next.settings }, origins: { ...next.from } };
      // Only after the answer is sent, because this process may be the one to end.
      res.once("finish", () => {
        for (const service of next.services) requestRestart({ type: "restart", service, settings: changed });
      });
      return { data: { services: next.services } };
    }),
  ];
}
