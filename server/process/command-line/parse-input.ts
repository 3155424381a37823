/** Reads the input of a command from its arguments. */
import { Command as Parser, CommanderError, Option } from "commander";
import { z } from "zod";
import type { SettingName } from "../../contract/process/settings.ts";
import { flagName, SettingsError } from "../settings/read-settings.ts";
import { plainProblem } from "../settings/plain-problem.ts";
import { allSettingFlags, inputForms } from "./inputs.ts";

/** An object whose members have forms. */
export type Input = z.ZodObject<Record<string, z.ZodType>>;

const membersOf = (input: Input) =>
  Object.entries(input.shape).map(([name, schema]) => {
    const form = inputForms.get(schema);
    if (form === undefined) throw new Error(`${name} has no form on the command line`);
    return { name, schema, form, flag: flagName(name) };
  });

/** Whether the flag may be repeated, or the argument be several. */
export function takesSeveral(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return takesSeveral(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray;
}

/** Declares the flags and arguments of an input. */
export function declareInput(parser: Parser, input: Input): void {
  for (const { name, schema, form, flag } of membersOf(input)) {
    const meaning = schema.description ?? "";
    if (form.as === "argument") parser.argument(takesSeveral(schema) ? `[${name}...]` : `[${name}]`, meaning);
    if (form.as === "argument" || form.as === "rest") continue;
    const option = new Option(`${form.short === undefined ? "" : `-${form.short}, `}${flag} <value>`, meaning);
    if (takesSeveral(schema)) option.argParser((value, values: string[] | undefined) => [...(values ?? []), value]);
    parser.addOption(option);
  }
}

const emptyArgument = "an argument is empty, perhaps because a variable is not set";
const needsValue = (flag: string) => `flag ${flag} needs a value`;

/**
 * Spells flags as declared: in lower case, with `-` for `_`, and each with a value.
 * @throws SettingsError if the value is missing, or is the next flag because a variable is not set
 */
function spellFlags(args: readonly string[], input: Input): string[] {
  const flags = membersOf(input).flatMap(({ flag, form }) => {
    const one = { flag, as: form.as };
    return form.short === undefined ? [one] : [one, { flag: `-${form.short}`, as: form.as, long: flag }];
  });
  return args.map((arg, index) => {
    const [written = ""] = arg.split("=", 1);
    const spelled = written.startsWith("--") ? written.toLowerCase().replaceAll("_", "-") : written;
    const known = flags.find(({ flag }) => flag === spelled);
    if (known === undefined) {
      const off = flags.find(({ flag, as }) => as === "switch" && spelled === flag.replace("--", "--no-"));
      return off === undefined || written !== arg ? arg : `${off.flag}=false`;
    }
    const next = args[index + 1];
    if (written !== arg) return spelled + arg.slice(written.length);
    if (known.as === "switch") return `${spelled}=true`;
    if (known.as === "optional" && (next ?? "-").startsWith("-")) return `${spelled}=-`;
    if (next === undefined) throw new SettingsError(needsValue(spelled));
    if (/^-./.test(next))
      throw new SettingsError(
        `${needsValue(spelled)}; write it as ${"long" in known ? known.long : spelled}=${next} if it is that`,
      );
    return spelled;
  });
}

/** @throws SettingsError that names the invalid flag or argument */
function checkInput<Of extends Input>(input: Of, values: Record<string, unknown>): z.output<Of> {
  const parsed = input.safeParse(values, { error: plainProblem });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = membersOf(input).find(({ name }) => name === issue?.path[0]);
  const value = values[at?.name ?? ""];
  const isEmpty = value === "" || (Array.isArray(value) && value.includes(""));
  if (at?.form.as === "argument" && value !== undefined && !isEmpty)
    throw new SettingsError(`${at.form.placeholder}: ${JSON.stringify(value)} is not valid (${issue?.message ?? ""})`);
  if (at?.form.as === "argument" || at?.form.as === "rest")
    throw new SettingsError(at.form.as === "argument" && isEmpty ? emptyArgument : (issue?.message ?? ""));
  if (value === undefined && at !== undefined) throw new SettingsError(`flag ${at.flag} is missing`);
  throw new SettingsError(
    isEmpty
      ? needsValue(at?.flag ?? "")
      : `${at?.flag ?? ""}: ${JSON.stringify(value)} is not valid (${issue?.message ?? ""})`,
  );
}

/** Rewords a refusal of commander, with its suggestion. */
function refusalOf(error: CommanderError, parser: Parser): SettingsError {
  const [, what = "", kind = "", name = ""] = /^error: (unknown (option|command) '(.*?)')/.exec(error.message) ?? [];
  const [, meant] = error.message.replace(/\?\)$/, "").split("(Did you mean ");
  const suggestion = meant === undefined ? "" : ` (did you mean ${meant.replace("one of ", "")}?)`;
  if (kind === "option") return new SettingsError(`unknown flag ${name}${suggestion}; --help lists them`);
  const named = parser.parent === null ? "command" : "action";
  if (what !== "") return new SettingsError(`unknown ${named} ${name}${suggestion}; --help lists them`);
  if (error.code === "commander.excessArguments")
    return new SettingsError(
      `unexpected argument ${parser.args[parser.registeredArguments.length] ?? ""}; --help lists the flags`,
    );
  return new SettingsError(error.message.replace(/^error: /, ""));
}

/** @throws SettingsError for a bad command line; CommanderError with exit code 0 after printing help */
export function parseWords(args: readonly string[], root: Parser, parser = root): void {
  try {
    root.parse(args, { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError && error.exitCode !== 0 ? refusalOf(error, parser) : error;
  }
}

/**
 * Reads the arguments after the words of a command.
 * @param parser has the input declared; `root`: its parent, if any
 * @throws SettingsError that names the invalid argument; CommanderError with exit code 0 after printing help
 */
export function parseInput<Of extends Input>(
  args: readonly string[],
  input: Of,
  { parser, root = parser, words = [] }: { parser: Parser; root?: Parser; words?: readonly string[] },
): z.output<Of> {
  const members = membersOf(input);
  const rest = members.find(({ form }) => form.as === "rest");
  const at = args.includes("--") ? args.indexOf("--") : args.length;
  const spelled = spellFlags(args.slice(0, at), input);
  // Without `--` the missing command is the problem to report.
  if (rest && at === args.length) parser.allowExcessArguments();
  parseWords([...words, ...spelled, ...(rest ? [] : args.slice(at))], root, parser);
  const named = members.filter(({ form }) => form.as === "argument");
  const values = members.map(({ name, form, flag }) => {
    if (form.as === "rest") return [name, args.slice(at + 1)] as const;
    if (form.as === "argument")
      return [name, parser.processedArgs[named.findIndex((one) => one.name === name)] as unknown] as const;
    const option = parser.options.find(({ long }) => long === flag);
    const written: unknown = parser.getOptionValue(option?.attributeName() ?? "");
    return [name, typeof written === "string" && form.convert ? form.convert(written) : written] as const;
  });
  return checkInput(input, Object.fromEntries(values.filter(([, value]) => value !== undefined)));
}

/** A parser that throws instead of ending the process. */
export const createParser = (name: string): Parser =>
  new Parser(name)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .allowExcessArguments(false);

/** The input of a program that is not a command. @throws SettingsError */
export function parseAlone<Of extends Input>(args: readonly string[], input: Of): z.output<Of> {
  const parser = createParser("hearth")
    .helpOption(false)
    .action(() => undefined);
  declareInput(parser, input);
  return parseInput(args, input, { parser });
}

/** The settings in a process's flags. @throws SettingsError */
export const parseSettings = (args: readonly string[]): Partial<Record<SettingName, unknown>> =>
  parseAlone(args, z.object(allSettingFlags));
