/** The words that a shell can complete, read from the table of commands. */
import { z } from "zod";
import { inputForms } from "../../process/command-line/inputs.ts";
import { choicesOf } from "../../process/settings/setting-kind.ts";
import { flagName } from "../../process/settings/read-settings.ts";
import type { Command } from "../command.ts";

interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

export interface FlagCandidate extends Candidate {
  /** A following value is required. */
  readonly takesValue: boolean;
  /** The possible values; empty for any other text. */
  readonly values: readonly string[];
}

export interface CommandCandidate extends Candidate {
  /** The words after `hearth`. */
  readonly name: string;
  readonly actions: readonly Candidate[];
  /** The possible values of the first argument. */
  readonly values: readonly string[];
  readonly flags: readonly FlagCandidate[];
}

/** The choices of a schema: of an enum, also in a list, optional or with a default. */
function choicesIn(schema: z.ZodType | undefined): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return choicesIn(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return choicesIn(schema.element as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

function flagsOf({ input }: Command): FlagCandidate[] {
  return Object.entries(input.shape).flatMap(([name, schema]) => {
    const form = inputForms.get(schema);
    if (form === undefined || form.as === "argument" || form.as === "rest") return [];
    const word = form.isNegated === true ? flagName(name).replace("--", "--no-") : flagName(name);
    const values = form.setting === undefined ? choicesIn(schema) : (choicesOf(form.setting) ?? []);
    const [meaning = ""] = (schema.description ?? "").split(/[.;]/, 1);
    return [{ word, meaning, takesValue: form.as === "value", values }];
  });
}

const argumentOf = ({ input }: Command) =>
  Object.values(input.shape).find((schema) => inputForms.get(schema)?.as === "argument");

export const commandCandidates = (commands: readonly Command[]): readonly CommandCandidate[] =>
  commands.map((row) => ({
    name: row.name,
    word: row.name.split(" ").at(-1) ?? "",
    meaning: row.summary,
    actions: commands
      .filter(({ name }) => name.startsWith(`${row.name} `))
      .map(({ name, summary }) => ({ word: name.slice(row.name.length + 1), meaning: summary })),
    values: choicesIn(argumentOf(row)),
    flags: flagsOf(row),
  }));
