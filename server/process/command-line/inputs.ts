/** The members of a command's input. Each is a schema with a description, and has a form on the command line. */
import { z } from "zod";
import { flag } from "../../contract/process/setting-values.ts";
import { settingsSchema, type SettingName } from "../../contract/process/settings.ts";
import { isSwitch } from "../settings/setting-kind.ts";

interface InputForm {
  /** `rest`: all arguments after `--`. `optional`: a flag whose value may be omitted, which is `-` then. */
  readonly as: "argument" | "value" | "optional" | "switch" | "rest";
  /** The placeholder for the value in help texts; empty for a switch or a setting. */
  readonly placeholder: string;
  readonly short?: string;
  /** The flag of a switch that is on by default: `--no-…`. */
  readonly isNegated?: true;
  /** The setting of this flag, whose value is checked with the other settings. */
  readonly setting?: SettingName;
  /** The argument names a file, or is `-` for stdin. The value is the file's text. */
  readonly isFile?: true;
  /** Turns the text of the command line into the schema's value; a text that has none stays. */
  readonly convert?: (text: string) => unknown;
}

/** The forms of all members, by their schemas. */
export const inputForms = z.registry<InputForm>();

/** A flag with a text. An empty text comes from a variable that is not set. */
export const text = (placeholder: string, meaning: string, short?: string) =>
  z
    .string()
    .min(1)
    .optional()
    .describe(meaning)
    .register(inputForms, { as: "value", placeholder, ...(short !== undefined && { short }) });

function formed<Of extends z.ZodType>(schema: Of, meaning: string, form: InputForm): Of {
  const described = schema.describe(meaning);
  inputForms.add(described, form);
  return described;
}

/** A flag with a text that a schema checks. */
export const value = <Of extends z.ZodType>(schema: Of, placeholder: string, meaning: string): Of =>
  formed(schema, meaning, { as: "value", placeholder });

const toNumber = (written: string): unknown => (/^-?\d+$/.test(written) ? Number(written) : written);

/** A flag with a whole number. */
export const whole = <Of extends z.ZodType>(schema: Of, placeholder: string, meaning: string): Of =>
  formed(schema, meaning, { as: "value", placeholder, convert: toNumber });

/** A switch whose value is a boolean, also outside the command line. */
export const onOff = (meaning: string) =>
  z
    .boolean()
    .optional()
    .describe(meaning)
    .register(inputForms, {
      as: "switch",
      placeholder: "",
      convert: (written) => flag.safeParse(written).data ?? written,
    });

/** A flag that may be repeated. */
export const texts = (placeholder: string, meaning: string) =>
  z.array(z.string().min(1)).optional().describe(meaning).register(inputForms, { as: "value", placeholder });

/** A flag whose text may be omitted. */
export const optionalText = (placeholder: string, meaning: string) =>
  text(placeholder, meaning).register(inputForms, { as: "optional", placeholder });

export const toggle = (meaning: string) =>
  flag.optional().describe(meaning).register(inputForms, { as: "switch", placeholder: "" });

/** A switch that is on by default, and has the flag `--no-…`. */
export const toggleOff = (meaning: string) =>
  toggle(meaning).register(inputForms, { as: "switch", placeholder: "", isNegated: true });

/** @param missing the message for a missing argument */
export const argument = (placeholder: string, meaning: string, missing: string) =>
  z.string(missing).min(1).describe(meaning).register(inputForms, { as: "argument", placeholder });

/** An argument that a schema checks. */
export const valueArgument = <Of extends z.ZodType>(schema: Of, placeholder: string, meaning: string): Of =>
  formed(schema, meaning, { as: "argument", placeholder });

export const optionalArgument = (placeholder: string, meaning: string) =>
  z.string().min(1).optional().describe(meaning).register(inputForms, { as: "argument", placeholder });

/** A file whose text is the value. @param missing the message for a missing argument */
export const fileArgument = (meaning: string, missing: string) =>
  z.string(missing).describe(meaning).register(inputForms, { as: "argument", placeholder: "FILE", isFile: true });

/** The last arguments, at least one. @param missing the message if there is none */
export const listArgument = (placeholder: string, meaning: string, missing: string) =>
  z.array(z.string().min(1)).min(1, missing).describe(meaning).register(inputForms, { as: "argument", placeholder });

/** The arguments after `--`, at least one. @param missing the message if there is none */
export const commandBehind = (placeholder: string, meaning: string, missing: string) =>
  z
    .array(z.string(), missing)
    .refine(([first = ""]) => first !== "", missing)
    .describe(meaning)
    .register(inputForms, { as: "rest", placeholder });

/** The arguments after `--`, if there are any. */
export const optionalCommand = (placeholder: string, meaning: string) =>
  z.array(z.string()).default([]).describe(meaning).register(inputForms, { as: "rest", placeholder });

const settingFlag = (name: SettingName) =>
  z
    .unknown()
    .optional()
    .describe(settingsSchema.shape[name].description ?? "")
    .register(inputForms, { as: isSwitch(name) ? "switch" : "value", placeholder: "", setting: name });

/** The flags of settings. Their values are raw, and are resolved with files, variables and defaults. */
export const settingFlags = <Name extends SettingName>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, settingFlag(name)])) as Record<Name, ReturnType<typeof settingFlag>>;

/** The flags of all settings. */
export const allSettingFlags = settingFlags(...(Object.keys(settingsSchema.shape) as SettingName[]));
