/** The pages of docs/reference that are made from the program: its settings by their schema, its commands by their help. */
import { format } from "prettier";
import { z } from "zod";
import { groupSettings } from "../../renderer/features/settings/setting-groups.ts";
import { settings as consoleTexts } from "../../renderer/i18n/en/settings.ts";
import { actions } from "../../server/actions/actions.ts";
import { helpText } from "../../server/cli/command-parser.ts";
import { commands } from "../../server/cli/commands.ts";
import { schemaType } from "../../server/cli/types/schema-type.ts";
import { secretSettings, settingsSchema, type SettingName } from "../../server/contract/process/settings.ts";
import type { JsonSchema } from "../../server/json-schema/json-schema.ts";
import { projectFileRules } from "../../server/process/settings/project-file.ts";
import { flagName, variableName } from "../../server/process/settings/read-settings.ts";
import { choicesOf, isSwitch } from "../../server/process/settings/setting-kind.ts";
import { fidelityPages } from "./fidelity-pages.ts";

const notice = "<!-- Made by npm run docs; change the program, not this page. -->";

/** What a hearth.config.json of a working directory may say of a setting. */
const projectFileTexts = {
  any: "may set it",
  inside: "may set it to a path in its own folder",
  announced: "may set it; the start says so",
  elsewhere: "may not set it",
} satisfies Record<(typeof projectFileRules)[SettingName], string>;

function typeOf(name: SettingName): string {
  const choices = choicesOf(name);
  if (choices) return `one of ${choices.map((choice) => `\`${choice}\``).join(", ")}`;
  if (isSwitch(name)) return "switch";
  const { type } = z.toJSONSchema(settingsSchema.shape[name], { unrepresentable: "any" });
  if (type === "array") return "list, with commas between its items";
  return type === "integer" || type === "number" ? type : "text";
}

function defaultOf(name: SettingName): string {
  const value: unknown = settingsSchema.shape[name].safeParse(undefined).data;
  if (value === undefined) return "no fixed default";
  return `default \`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function describeSetting(name: SettingName): string {
  const negated = isSwitch(name) ? `, \`--no-${flagName(name).slice(2)}\`` : "";
  const facts = [
    `\`${flagName(name)}\`${negated}`,
    `\`${variableName(name)}\``,
    typeOf(name),
    defaultOf(name),
    ...(secretSettings.has(name) ? ["secret"] : []),
    `a project's file ${projectFileTexts[projectFileRules[name]]}`,
  ];
  return `### ${name}\n\n${settingsSchema.shape[name].description ?? ""}\n\n${facts.join(" · ")}\n`;
}

function settingsPage(): string {
  const names = (Object.keys(settingsSchema.shape) as SettingName[]).map((name) => ({ name }));
  const groups = groupSettings(names).map(
    ({ label, settings }) =>
      `## ${consoleTexts.group[label]}\n\n${settings.map(({ name }) => describeSetting(name)).join("\n")}`,
  );
  return `# Settings

${notice}

Every setting can be a flag, an environment variable or a member of a file \`hearth.config.json\`. Flags win over variables,
variables over the file in the data directory, which the console writes, and that over the file in the working directory (the
project's file). A project may have come from anywhere, so its file may not set everything. A bad value ends the command
with code 2 and a line that says which, and so does an unknown flag or member. The empty variable of a switch counts as not
set, so that a compose file may pass on \`\${MAINTENANCE:-}\`; other empty values are values. An unknown variable whose name begins with
\`HEARTH_\` may be another version's: a start and \`hearth doctor\` warn of it, with the known name that it is near to.

${groups.join("\n")}`;
}

/** The commands with a section each: the others have the settings as their flags. */
const described = commands.filter(({ name }) => !["start", "serve", "open", "doctor"].includes(name));

const asText = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;

/** The JSON of each action as a type, or the name of an earlier action with the same. */
function describeOutputs(): Map<string, string> {
  const firstOf = new Map<string, string>();
  const described = actions.map(({ name, output }): [string, string] => {
    const type = schemaType(z.toJSONSchema(output, { unrepresentable: "any" }) as JsonSchema);
    const first = firstOf.get(type);
    if (first === undefined) firstOf.set(type, name);
    return [
      name,
      first === undefined
        ? `\`--json\` prints:\n\n${asText(type)}`
        : `\`--json\` prints the same as \`hearth ${first} --json\`.\n`,
    ];
  });
  return new Map(described);
}

function commandLinePage(): string {
  const outputs = describeOutputs();
  const others = described.map(({ name, alias = "" }) => {
    const output = outputs.get(name) ?? outputs.get(alias);
    return `## hearth ${name}\n\n${asText(helpText(commands, name))}${output === undefined ? "" : `\n${output}`}`;
  });
  return `# Command line

${notice}

The output of \`hearth --help\` and \`hearth COMMAND --help\`.

## Exit codes

| Code | Meaning                                                                            |
| ---- | ---------------------------------------------------------------------------------- |
| 0    | done                                                                               |
| 1    | refused or failed, or no Hearth runs, or several do; stderr has the reason         |
| 2    | the command line is wrong: stderr names the flag or argument                       |
| 3    | \`wait\`: the time is over                                                         |
| 130  | cancelled by Ctrl-C                                                                |

\`start\`, \`serve\` and \`watch\` run until you stop them, and then exit with 0. \`exec\` exits with the code of its command.

## JSON

With \`--json\`, a command prints one JSON value and nothing else on stdout. With \`--follow --json\`, each item is a line.
Errors are one line on stderr. Amounts are in fen: 199 is ¥1.99.

## Which Hearth

A command uses the Hearth of \`--data-dir\`. Without the flag, it uses the Hearth whose command it is (\`hearth exec\`), that of the
default data directory, or the only one that runs.

## hearth

${asText(helpText(commands))}
The flags of \`start\`, \`serve\`, \`open\` and \`doctor\` are the [settings](settings.md); \`open --print\` prints the address,
\`doctor --quick\` does not read uploads and models, and \`doctor --json\` prints one JSON object.

${others.join("\n")}`;
}

/** The texts of the generated pages by their paths in the checkout, formatted as the format check wants them. */
export async function generatedPages(): Promise<Record<string, string>> {
  const pages = {
    "docs/reference/settings.md": settingsPage(),
    "docs/reference/command-line.md": commandLinePage(),
    ...fidelityPages(notice),
  };
  const formatted = Object.entries(pages).map(
    async ([file, text]) => [file, await format(text, { parser: "markdown", printWidth: 120 })] as const,
  );
  return Object.fromEntries(await Promise.all(formatted));
}
