/** The path of the user in the registry of Windows, from which new programs get theirs. */
import { spawnSync } from "node:child_process";
import { windowsProgram } from "../system-programs.ts";

export interface UserPath {
  /** Adds a folder at the end, once. @throws Error when the registry cannot be written */
  add(folder: string): void;
  /** @throws Error when the registry cannot be written */
  remove(folder: string): void;
}

export type RunPowerShell = (script: string, variables: Readonly<Record<string, string>>) => void;

const runPowerShell: RunPowerShell = (script, variables) => {
  const { status, stderr, error } = spawnSync(
    windowsProgram("WindowsPowerShell\\v1.0\\powershell.exe"),
    ["-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command", script],
    { env: { ...process.env, ...variables }, encoding: "utf8", windowsHide: true },
  );
  if (status !== 0) throw new Error(`the user's path cannot be changed: ${error?.message ?? stderr.trim()}`);
};

/**
 * The folder comes in a variable, so that no name needs quotes. The value is read and written without expanding
 * %NAMES%. Setting a variable notifies running programs, such as the desktop.
 */
const change = (added: string) => `$ErrorActionPreference = 'Stop'
$key = [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey('Environment')
$old = [string]$key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')
$kept = @($old -split ';' | Where-Object { $_ -ne '' -and $_ -ne $env:HEARTH_FOLDER })
$key.SetValue('Path', ((${added}) -join ';'), 'ExpandString')
[Environment]::SetEnvironmentVariable('HEARTH_PATH_CHANGED', $null, 'User')`;

export const createUserPath = (run: RunPowerShell = runPowerShell): UserPath => ({
  add: (folder) => run(change("$kept + $env:HEARTH_FOLDER"), { HEARTH_FOLDER: folder }),
  remove: (folder) => run(change("$kept"), { HEARTH_FOLDER: folder }),
});
