/** The text of --help, generated from the settings' schema. */
import { settingsSchema, type SettingName } from "../../contract/process/settings.ts";
import { defaultDataDir, flagName, variableName } from "./read-settings.ts";
import { choicesOf, isSwitch } from "./setting-kind.ts";

const intro = `Hearth: what a client app calls, on this machine: application server, identity and payment provider, model service.

Usage: hearth [start] [flags]   run everything, in a window where there is a display
       hearth serve [flags]     run everything without a window
       hearth watch DIR [--to URL] [--exclude REGEX]... [--no-catch-up]
                                report changes of the files in DIR to a receiver
       hearth open [--print]    open the console of the running Hearth in the browser, by an address that is good for one
                                login within 15 minutes; --print: print the address
       hearth token [USER]      log a simulated user in at the running Hearth; print the session token
       hearth exec -- COMMAND   run a command against a Hearth of its own, then end it
       hearth init [DIR]        write a config, an example collection, a first test and a page for agents into a project
       hearth types [--check]   write a typed client of the API, with the project's own collections and routes
       hearth check-receiver --notify-url URL
                                try forged, repeated, late and wrong payment notifications on a receiver (--help: more)
       hearth run MODEL         chat with a model in the terminal; a text by a pipe gets one answer
       hearth pull MODEL        download a model; also hearth list, hearth rm MODEL
       hearth create NAME [-f MODELFILE]
                                make a model by a Modelfile
       hearth devices           show, and with on, let-in ID and others change, which devices of the local network reach Hearth
       hearth keys              list, and with add NAME, remove ID change, the keys for the model service and for control
       hearth ca [--env]        show the certificate authority of this installation; --env: print what a shell's commands need
                                to reach the simulator at the real platform's hosts; hearth ca remove
       hearth doctor [--quick]  look whether installation, ports, disk, databases, uploads and models are sound; changes nothing
       hearth migrate --to URL  copy the data of this machine into a PostgreSQL database (--help: more)
       hearth backup FILE       write one file with all that must not be lost, also while Hearth runs (--help: more)
       hearth restore FILE      put it in the place of what is in the data directory, which is kept
       hearth uninstall         remove what Hearth has put elsewhere: command, start at login; asks about the data
       hearth help

A flag can also be an environment variable or a member of hearth.config.json (names as in HEARTH_..., lower case). Flags win
over variables, variables over the data directory's file, which the console writes, and that over the working directory's,
which may set nothing that opens this machine to others, and no path outside its folder. The variable HEARTH_CONSOLE_TOKEN
(32 characters or more) sets the console's token, which is another one at each start otherwise.
`;

const width = 100;
const indent = " ".repeat(6);

function placeholder(name: SettingName): string {
  if (isSwitch(name)) return "";
  const choices = choicesOf(name);
  if (choices) return ` ${choices.join("|")}`;
  if (name.endsWith("_port")) return " PORT";
  if (name.endsWith("_dir")) return " DIR";
  if (name === "ready_file" || name === "model") return " FILE";
  return ` ${(name.split("_").at(-1) ?? name).toUpperCase()}`;
}

function defaultOf(name: SettingName): string | undefined {
  if (name === "data_dir") return defaultDataDir();
  const value = settingsSchema.shape[name].safeParse(undefined).data;
  return value === undefined || String(value) === "" ? undefined : String(value);
}

function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length + 1 > width - indent.length) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.map((line) => indent + line).join("\n");
}

function describeSetting(name: SettingName): string {
  const value = defaultOf(name);
  const facts = [...(value === undefined ? [] : [`default ${value}`]), variableName(name)].join("; ");
  const negation = isSwitch(name) ? `, --no-${flagName(name).slice(2)}` : "";
  const meaning = settingsSchema.shape[name].description ?? "";
  return `  ${flagName(name)}${negation}${placeholder(name)}\n${wrap(`${meaning} [${facts}]`)}`;
}

export function helpText(): string {
  const settings = (Object.keys(settingsSchema.shape) as SettingName[]).map(describeSetting);
  return `${intro}\nFlags:\n${settings.join("\n")}\n  --help\n  --version\n`;
}
