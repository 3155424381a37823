/** Makes the parser of the command line from the table of commands. */
import type { Command as Parser, Help, Option } from "commander";
import { settingsSchema, type SettingName } from "../contract/process/settings.ts";
import { choicesOf } from "../process/settings/setting-kind.ts";
import { commandFirst } from "../process/command-line/command-first.ts";
import { inputForms } from "../process/command-line/inputs.ts";
import {
  createParser,
  declareInput,
  takesSeveral,
  parseInput,
  parseWords,
} from "../process/command-line/parse-input.ts";
import { flagName, SettingsError, variableName } from "../process/settings/read-settings.ts";
import { printLines } from "../process/terminal/print-text.ts";
import type { Command } from "./command.ts";

type Commands = readonly Command[];

const helpWidth = 120;
const intro =
  "Hearth runs the backend of a client app on this machine: application server, identity and payment platform, model service.";
const hint = `
hearth COMMAND --help prints the flags of a command; hearth start --help prints all settings; hearth --version prints the version.
`;

const memberOf = ({ input }: Command, option: Option) =>
  Object.entries(input.shape).find(([name]) => flagName(name) === option.long)?.[1];

/** The placeholder for a setting's value. */
function placeholderOf(name: SettingName): string {
  const choices = choicesOf(name);
  if (choices) return choices.join("|");
  if (name.endsWith("_port")) return "PORT";
  if (name.endsWith("_dir")) return "DIR";
  if (name === "ready_file" || name === "model") return "FILE";
  return (name.split("_").at(-1) ?? name).toUpperCase();
}

/** The flag as people write it. */
function termOf(row: Command, option: Option): string {
  const schema = memberOf(row, option);
  const form = schema && inputForms.get(schema);
  if (form === undefined) return option.flags;
  const flags = option.flags.replace(/ <value>$/, "");
  const negated = flags.replace("--", "--no-");
  if (form.isNegated) return negated;
  if (form.as === "switch") return form.setting === undefined ? flags : `${flags}, ${negated}`;
  const placeholder = form.setting === undefined ? form.placeholder : placeholderOf(form.setting);
  return `${flags} ${form.as === "optional" ? `[${placeholder}]` : placeholder}`;
}

function defaultOf(name: SettingName): string | undefined {
  const value = settingsSchema.shape[name].safeParse(undefined).data;
  return value === undefined || String(value) === "" ? undefined : String(value);
}

/** The meaning of a flag; of a setting with its default and variable. */
function meaningOf(row: Command, option: Option): string {
  const schema = memberOf(row, option);
  const setting = schema && inputForms.get(schema)?.setting;
  if (setting === undefined) return option.description;
  const value = defaultOf(setting);
  const facts = [...(value === undefined ? [] : [`default ${value}`]), variableName(setting)];
  return `${option.description} [${facts.join("; ")}]`;
}

/** Arguments and flags of a command, as its first help line has them. */
function usageOf({ name, input }: Command): string {
  const words = Object.values(input.shape).map((schema) => {
    const form = inputForms.get(schema);
    if (form?.as === "rest") return ` -- ${form.placeholder} [ARGUMENT]...`;
    if (form?.as !== "argument") return "";
    const word = takesSeveral(schema) ? `${form.placeholder}...` : form.placeholder;
    return schema.safeParse(undefined).success ? ` [${word}]` : ` ${word}`;
  });
  return `hearth ${name} [flags]${words.join("")}`;
}

function helpOf(row: Command, commands: Commands): Partial<Help> {
  return {
    helpWidth,
    optionTerm: (option) => termOf(row, option),
    optionDescription: (option) => meaningOf(row, option),
    argumentTerm: (argument) => {
      const schema = row.input.shape[argument.name()];
      return (schema && inputForms.get(schema)?.placeholder) ?? argument.name();
    },
    commandUsage: () => usageOf(row),
    subcommandTerm: (sub) => {
      const action = commands.find(({ name }) => name === `${row.name} ${sub.name()}`);
      return action === undefined
        ? sub.name()
        : usageOf(action).replace(` [flags]`, "").replace(`hearth ${row.name} `, "");
    },
  };
}

function addCommand(parent: Parser, row: Command, name: string, commands: Commands): Parser {
  const { input, summary, group } = row;
  const details = input.description === undefined ? "" : `\n\n${input.description}`;
  const parser = parent
    .command(name)
    .summary(summary)
    .description(`${summary.replace(/^./, (letter) => letter.toUpperCase())}.${details}`)
    .configureHelp(helpOf(row, commands))
    .helpOption("-h, --help", "print this help")
    .helpCommand(false);
  if (group !== undefined) parser.helpGroup(`${group}:`);
  return parser;
}

/** The parsers of all commands by their words, and of `hearth` itself by an empty text. */
function createParsers(commands: Commands): Map<string, Parser> {
  const root = createParser("hearth")
    .usage("[COMMAND] [flags]")
    .description(intro)
    .configureHelp({ helpWidth, visibleOptions: () => [], subcommandTerm: (sub) => sub.name() })
    .configureOutput({ writeOut: (text) => printLines(text), writeErr: () => undefined })
    .addHelpText("after", hint)
    .helpCommand(false);
  const parsers = new Map([["", root]]);
  for (const row of commands) {
    const [word = "", action] = row.name.split(" ");
    const parent = action === undefined ? root : parsers.get(word);
    if (parent) parsers.set(row.name, addCommand(parent, row, action ?? word, commands));
  }
  return parsers;
}

const asksForHelp = (arg = "") => arg === "--help" || arg === "-h";

/** Moves the command's words to the front: `help token` is `token --help`, and `start` is the default. */
function inOrder(argv: readonly string[]): readonly string[] {
  if (argv[0] === "help") return [...argv.slice(1), "--help"];
  const args = commandFirst(argv);
  const isBare = (args[0] ?? "-").startsWith("-") && !asksForHelp(args[0]);
  return isBare ? ["start", ...args] : args;
}

/** The row that the first words name, and the number of those words. */
function findRow(args: readonly string[], commands: Commands): { row: Command; length: number } | undefined {
  for (const length of [2, 1]) {
    const words = args.slice(0, length).join(" ");
    const row = commands.find(({ name, alias }) => name === words || alias === words);
    if (row) return { row, length: words.split(" ").length };
  }
  return undefined;
}

/** Whether the command line has one of these commands. */
export const isAmong = (argv: readonly string[], commands: Commands): boolean =>
  findRow(inOrder(argv), commands) !== undefined;

/**
 * Finds the command of a command line, and reads its input. @throws SettingsError for a bad command line;
 * CommanderError after printing help
 */
export function parseCommandLine(
  argv: readonly string[],
  commands: Commands,
): { row: Command; input: Record<string, unknown> } {
  const args = inOrder(argv);
  const parsers = createParsers(commands);
  const root = parsers.get("") as Parser;
  const found = findRow(args, commands);
  const parser = parsers.get(found?.row.name ?? "");
  if (found === undefined || parser === undefined) {
    parseWords(args.slice(0, 1), root);
    throw new SettingsError(`unknown command ${args[0] ?? ""}; --help lists them`);
  }
  const { row, length } = found;
  declareInput(parser, row.input);
  // A following word must be one of the actions.
  const isAction = parser.commands.length > 0 && !(args[length] ?? "-").startsWith("-");
  if (!isAction) parser.action(() => undefined);
  const words = row.name.split(" ");
  return { row, input: parseInput(args.slice(length), row.input, { parser, root, words }) };
}

/** The text of a command's help; of the general help for an empty name. */
export function helpText(commands: Commands, name = ""): string {
  const parser = createParsers(commands).get(name);
  const row = commands.find((one) => one.name === name);
  if (parser && row) declareInput(parser, row.input);
  let text = "";
  parser?.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}
