import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settingsSchema, type SettingName } from "../../../server/contract/process/settings.ts";
import { variableName } from "../../../server/process/settings/read-settings.ts";
import { unknownVariables } from "../../../server/process/settings/unknown-variables.ts";

const root = join(import.meta.dirname, "../../..");
/** What is said where these variables are set. */
const told = (names: readonly string[], upstreams: string[] = []) =>
  unknownVariables(Object.fromEntries(names.map((name) => [name, "a value"])), { upstreams });

describe("the warning of unknown variables", () => {
  it("names each, with the known one that differs by few letters, and tells no value", () => {
    expect(told(["HEARTH_APP_PROT", "HEARTH_LOGLEVEL", "HEARTH_CONSOL_TOKEN", "HEARTH_PORT"])).toEqual([
      "unknown variable HEARTH_APP_PROT has no effect; did you mean HEARTH_APP_PORT?",
      "unknown variable HEARTH_LOGLEVEL has no effect; did you mean HEARTH_LOG_LEVEL?",
      "unknown variable HEARTH_CONSOL_TOKEN has no effect; did you mean HEARTH_CONSOLE_TOKEN?",
      "unknown variable HEARTH_PORT has no effect; --help lists the known ones",
    ]);
  });

  it("takes the case of the names as the system does", () => {
    const expected =
      "unknown variable HEARTH_MaxSizeOfSigleFile_MB has no effect; did you mean HEARTH_MAXSIZEOFSIGLEFILE_MB?";
    expect(told(["HEARTH_MaxSizeOfSigleFile_MB"])).toEqual(process.platform === "win32" ? [] : [expected]);
  });

  it("leaves out the settings, other programs' variables and those that hold keys of upstreams", () => {
    const settings = (Object.keys(settingsSchema.shape) as SettingName[]).map(variableName);
    expect(told([...settings, "PATH", "MY_HEARTH_PORT"])).toEqual([]);
    const upstream = "http://127.0.0.1:1?key_env=HEARTH_GPU_ACCESS";
    expect(told(["HEARTH_GPU_ACCESS"], [upstream])).toEqual([]);
    expect(told(["HEARTH_GPU_ACCESS"])).toHaveLength(1);
  });

  it("leaves out what copied commands call secrets, unless a setting is meant", () => {
    expect(
      told(["HEARTH_TOKEN_2", "HEARTH_NEW_PASSWORD_3", "HEARTH_SESSIONKEY", "HEARTH_MCH_KEY", "HEARTH_CODE"]),
    ).toEqual([]);
    expect(told(["HEARTH_CONSOLETOKEN", "HEARTH_PASSWORD_FILE"])).toHaveLength(2);
  });

  it("leaves out what Kubernetes tells of a service that is called hearth", () => {
    const links = {
      HEARTH_SERVICE_HOST: "10.0.0.7",
      HEARTH_SERVICE_PORT_HTTP: "3080",
      HEARTH_PORT: "tcp://10.0.0.7:3080",
      HEARTH_PORT_3080_TCP_ADDR: "10.0.0.7",
    };
    expect(unknownVariables(links, { upstreams: [] })).toEqual([]);
    expect(unknownVariables({ HEARTH_PORT: "3080" }, { upstreams: [] })).toHaveLength(1);
  });

  it("knows every variable that the program and its scripts name", () => {
    const files = globSync("{server,electron,renderer,build,test}/**/*.{ts,mjs,yaml}", {
      cwd: root,
      exclude: ["**/node_modules"],
    }).filter(
      // In a script of PowerShell's the variables are that script's own.
      (file) => !/[.]test[.]ts$|user-path[.]ts$/.test(file),
    );
    const named = files.flatMap(
      (file) => readFileSync(join(root, file), "utf8").match(/\bHEARTH_[A-Z0-9_]*[A-Z0-9]\b/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(50);
    expect(told([...new Set(named)])).toEqual([]);
  });
});
