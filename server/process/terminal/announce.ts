import { commandLine, type OwnCommand } from "../../contract/console/console.ts";
import { portOf } from "../../contract/own-url.ts";
import { defaultConsolePort } from "../../contract/process/port-settings.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { shellWord } from "../../contract/shell-words.ts";
import { projectAddresses } from "../settings/project-addresses.ts";
import type { SettingOrigins } from "../settings/read-settings.ts";
import { onEnter } from "./on-enter.ts";
import { printable, printLine } from "./print-text.ts";
import { startTexts } from "./start-texts.ts";

export interface Announcement {
  readonly version: string;
  /** `model` is null while the model service is down. */
  readonly addresses: { readonly app: string; readonly provider: string; readonly model: string | null };
  /** The console's address, which asks for a login. */
  readonly console: string;
  readonly settings: Pick<Settings, "app_port" | "console_port">;
  /** Creates an address for one login. */
  readonly login: () => Promise<string>;
  readonly command: OwnCommand;
  /** Where `npm link` adds the command `hearth`; undefined where it is there, or cannot be added. */
  readonly linkIn: string | undefined;
  readonly armedFaults: number;
}

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** A label, a value and a remark. */
type Row = readonly [label: string, value: string, remark?: string];

/** The columns of a text in a terminal; Chinese characters take two. */
const columnsOf = (text: string) => [...text].reduce((sum, one) => sum + (one > "\u2e7f" ? 2 : 1), 0);

/** Prints rows in columns, in colour where a person reads them. */
function createRowPrinter(out: Terminal, env: NodeJS.ProcessEnv, labels: readonly string[]) {
  const isColoured = out.isTTY === true && !env["NO_COLOR"];
  const paint = (code: string, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  const width = Math.max(...labels.map(columnsOf));
  return {
    title: (text: string) => void out.write(`\n  ${paint("1;32", printable(text))}\n\n`),
    row([label, value, remark = ""]: Row): void {
      const padding = " ".repeat(width - columnsOf(label) + 2);
      const isAddress = value.startsWith("http");
      const behind = remark === "" ? "" : `  ${paint("2", `(${printable(remark)})`)}`;
      out.write(`  ${paint("1", label)}${padding}${paint(isAddress ? "36" : "0", printable(value))}${behind}\n`);
    },
  };
}

/** Reports that another program uses the console's default port. */
function isMoved({ app_port, console_port }: Announcement["settings"], console: string): boolean {
  return console_port === undefined && app_port !== 0 && portOf(console) !== defaultConsolePort;
}

/**
 * Prints the block at the end of a start on stdout: addresses, what is armed, and the way into the console. A terminal
 * gets an address to log in with, and another on each Enter. Any other output may be stored, so it only gets the command
 * for such an address.
 */
export async function announce(
  { version, addresses, console, settings, login, command, linkIn, armedFaults }: Announcement,
  env = process.env,
): Promise<void> {
  const texts = startTexts(env);
  const { stdin, stdout } = process;
  const keys = ["console", "api", "platform", "models", "faults", "logIn", "command"] as const;
  const print = createRowPrinter(
    stdout,
    env,
    keys.map((key) => texts[key]),
  );
  const hasKeys = stdout.isTTY && stdin.isTTY;
  const remarks = [
    ...(isMoved(settings, console) ? [texts.taken(String(defaultConsolePort))] : []),
    ...(hasKeys ? [texts.enter] : []),
  ];
  const address = async () => (stdout.isTTY ? login().catch(() => console) : console);
  const rows: (Row | false)[] = [
    [texts.console, await address(), remarks.join("; ")],
    [texts.api, addresses.app],
    [texts.platform, addresses.provider],
    [texts.models, addresses.model ?? texts.down],
    armedFaults > 0 && [texts.faults, texts.armed(armedFaults)],
    !hasKeys && [texts.logIn, commandLine(command, "open --print")],
    linkIn !== undefined && [texts.command, `cd ${shellWord(linkIn, process.platform)} && npm link`, texts.link],
  ];
  print.title(texts.ready(version));
  for (const row of rows) if (row) print.row(row);
  if (hasKeys) onEnter(() => void address().then((next) => print.row([texts.console, next, texts.enter])));
}

/**
 * Prints the addresses that the working directory's file sets, on stderr and `others`. It is not a line of the log,
 * because the file may silence that.
 */
export function announceAddresses(
  settings: Settings,
  from: SettingOrigins,
  ...others: Parameters<typeof printLine>[1][]
): void {
  const line = projectAddresses(settings, from);
  if (line !== undefined) for (const out of [process.stderr, ...others]) printLine(`hearth: ${line}`, out);
}
