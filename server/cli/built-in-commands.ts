/** The commands that are not actions. */
import { z } from "zod";
import { allSettingFlags, optionalArgument, settingFlags, toggle } from "../process/command-line/inputs.ts";
import { watchInput } from "../watcher/watch-input.ts";
import { agentCommands } from "./agent-commands.ts";
import { caInput, removeCaInput } from "./ca-inputs.ts";
import { command, type Command } from "./command.ts";
import { forgetDeviceInput, letInInput, openToDevicesInput, showDevicesInput } from "./devices/devices-inputs.ts";
import { execInput } from "./exec/exec-input.ts";
import { importInput } from "./import/import-input.ts";
import { initInput } from "./init/init-input.ts";
import { addKeyInput, listKeysInput, removeKeyInput } from "./keys/keys-inputs.ts";
import { createInput, listInput, pullInput, removeInput, runInput } from "./models/model-inputs.ts";
import { installationCommands } from "./installation-commands.ts";
import { platformCommands } from "./platform-commands.ts";
import { typesInput } from "./types/types-input.ts";

const settings = z.object(allSettingFlags).describe(
  `A flag can also be an environment variable or a member of hearth.config.json (names as in HEARTH_..., lower case). Flags \
override variables, variables override the data directory's file, and that file overrides the working directory's. The working \
directory's file may not open this machine to others or name paths outside its folder. The console writes the data directory's \
file. HEARTH_CONSOLE_TOKEN (32 characters or more) sets the console's token. Default: a new token at each start.`,
);

const running = [
  command({
    name: "start",
    group: "Run Hearth",
    summary: "run everything, in a window if there is a display; the default command",
    input: settings,
    runsOn: true,
    load: async () => (await import("./window/start-in-window.ts")).start,
  }),
  command({
    name: "serve",
    group: "Run Hearth",
    summary: "run everything without a window",
    input: settings,
    runsOn: true,
    load: async () => (await import("./serve.ts")).serveCommand,
  }),
  command({
    name: "watch",
    group: "Run Hearth",
    summary: "report changes of the files in a folder to a receiver",
    input: watchInput,
    runsOn: true,
    load: async () => (await import("../watcher/watch-command.ts")).watchCommand,
  }),
];

const usingRunning = [
  command({
    name: "open",
    group: "Use the running Hearth",
    summary: "open the console in the browser with an address for one login within 15 minutes",
    input: z.object({ print: toggle("print the address"), ...allSettingFlags }),
    load: async () => (await import("./open-console.ts")).openConsole,
  }),
  command({
    name: "token",
    group: "Use the running Hearth",
    summary: "print the console's token",
    input: z.object({
      user: optionalArgument("USER", "not supported: `hearth login USER` prints a session token"),
      console: toggle("the token of the console, for HEARTH_CONSOLE_TOKEN=$(hearth token --console)"),
      ...settingFlags("data_dir"),
    }),
    load: async () => (await import("./token.ts")).printToken,
  }),
  command({
    name: "devices",
    alias: "devices show",
    group: "Use the running Hearth",
    summary: "show and change which devices on the local network can reach Hearth",
    input: showDevicesInput,
    load: async () => (await import("./devices/devices-command.ts")).showDevices,
  }),
  command({
    name: "devices on",
    summary: "open Hearth to the local network; each device waits until you allow it",
    input: openToDevicesInput,
    load: async () => (await import("./devices/devices-command.ts")).openToDevices,
  }),
  command({
    name: "devices off",
    summary: "close Hearth to the local network",
    input: showDevicesInput,
    load: async () => (await import("./devices/devices-command.ts")).closeToDevices,
  }),
  command({
    name: "devices let-in",
    summary: "allow a waiting device",
    input: letInInput,
    load: async () => (await import("./devices/devices-command.ts")).letIn,
  }),
  command({
    name: "devices remove",
    summary: "remove a device and end its open connections",
    input: forgetDeviceInput,
    load: async () => (await import("./devices/devices-command.ts")).forgetDevice,
  }),
  command({
    name: "keys",
    alias: "keys list",
    group: "Use the running Hearth",
    summary: "list and change the keys that let other machines use the model service and control Hearth",
    input: listKeysInput,
    load: async () => (await import("./keys/keys-command.ts")).showKeys,
  }),
  command({
    name: "keys add",
    summary: "create a key and print it, only once",
    input: addKeyInput,
    load: async () => (await import("./keys/keys-command.ts")).addKey,
  }),
  command({
    name: "keys remove",
    summary: "remove a key, and all keys and logins created with it",
    input: removeKeyInput,
    load: async () => (await import("./keys/keys-command.ts")).removeKey,
  }),
  command({
    name: "ca",
    alias: "ca show",
    group: "Use the running Hearth",
    summary: "show the certificate authority of this installation and how programs trust it",
    input: caInput,
    load: async () => (await import("./ca.ts")).showAuthority,
  }),
  command({
    name: "ca remove",
    summary: "delete the authority and its key; the next use creates a new one",
    input: removeCaInput,
    load: async () => (await import("./ca.ts")).removeCa,
  }),
];

const developing = [
  command({
    name: "init",
    group: "Develop against Hearth",
    summary: "add a config, an example collection, a first test and AGENTS.md to a project",
    input: initInput,
    load: async () => (await import("./init/init-command.ts")).initProject,
  }),
  command({
    name: "import",
    group: "Develop against Hearth",
    summary: "serve an API that an OpenAPI document describes, with checked requests and valid answers",
    input: importInput,
    load: async () => (await import("./import/import-command.ts")).importDocument,
  }),
  ...agentCommands,
  command({
    name: "exec",
    group: "Develop against Hearth",
    summary: "start a separate Hearth, run a command against it, then stop it",
    input: execInput,
    runsOn: true,
    load: async () => (await import("./exec/exec.ts")).exec,
  }),
  command({
    name: "types",
    group: "Develop against Hearth",
    summary: "write a typed client of the API, including the project's collections and routes",
    input: typesInput,
    load: async () => (await import("./types/types-command.ts")).writeTypes,
  }),
  ...platformCommands,
];

const models = [
  command({
    name: "run",
    group: "Models",
    summary: "chat with a model in the terminal; piped text gets one answer",
    input: runInput,
    load: async () => (await import("./models/model-commands.ts")).chatCommand,
  }),
  command({
    name: "pull",
    group: "Models",
    summary: "download a model",
    input: pullInput,
    load: async () => (await import("./models/model-commands.ts")).pullCommand,
  }),
  command({
    name: "list",
    alias: "ls",
    group: "Models",
    summary: "list the installed models",
    input: listInput,
    load: async () => (await import("./models/model-commands.ts")).listCommand,
  }),
  command({
    name: "rm",
    group: "Models",
    summary: "delete models",
    input: removeInput,
    load: async () => (await import("./models/model-commands.ts")).rmCommand,
  }),
  command({
    name: "create",
    group: "Models",
    summary: "create a model from a Modelfile",
    input: createInput,
    load: async () => (await import("./models/model-commands.ts")).createCommand,
  }),
];

export const runCommands: readonly Command[] = [...running, ...usingRunning];
export const projectCommands: readonly Command[] = [...developing, ...models, ...installationCommands];
