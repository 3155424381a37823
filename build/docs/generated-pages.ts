/** The pages of docs/reference that are made from the program: its settings by their schema, its commands by their help. */
import { format } from "prettier";
import { z } from "zod";
import { groupSettings } from "../../renderer/features/settings/setting-groups.ts";
import { settings as consoleTexts } from "../../renderer/i18n/en/settings.ts";
import { backupHelp } from "../../server/cli/backup/backup-command.ts";
import { migrateHelp } from "../../server/cli/migrate/migrate-command.ts";
import { caHelp } from "../../server/cli/ca.ts";
import { keysHelp } from "../../server/cli/keys/keys-command.ts";
import { devicesHelp } from "../../server/cli/devices/devices-command.ts";
import { doctorHelp } from "../../server/cli/doctor/doctor.ts";
import { execHelp } from "../../server/cli/exec/exec.ts";
import { initHelp } from "../../server/cli/init/init-command.ts";
import { modelCommandsHelp } from "../../server/cli/models/model-commands.ts";
import { typesHelp } from "../../server/cli/types/types-command.ts";
import { uninstallHelp } from "../../server/cli/uninstall.ts";
import { checkReceiverHelp } from "../../server/cli/receiver/receiver-arguments.ts";
import { secretSettings, settingsSchema, type SettingName } from "../../server/contract/process/settings.ts";
import { helpText } from "../../server/process/settings/help-text.ts";
import { projectFileRules } from "../../server/process/settings/project-file.ts";
import { flagName, variableName } from "../../server/process/settings/read-settings.ts";
import { choicesOf, isSwitch } from "../../server/process/settings/setting-kind.ts";
import { watchHelp } from "../../server/watcher/watch-command.ts";

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

const commands: Readonly<Record<string, string>> = {
  "hearth watch": watchHelp,
  "hearth init": initHelp,
  "hearth exec": execHelp,
  "hearth types": typesHelp,
  "hearth check-receiver": checkReceiverHelp,
  "hearth pull, list, rm, create": modelCommandsHelp,
  "hearth devices": devicesHelp,
  "hearth keys": keysHelp,
  "hearth ca": caHelp,
  "hearth doctor": doctorHelp,
  "hearth backup, restore": backupHelp,
  "hearth migrate": migrateHelp,
  "hearth uninstall": uninstallHelp,
};

const asText = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;

function commandLinePage(): string {
  const [intro = ""] = helpText().split("\nFlags:\n");
  const others = Object.entries(commands).map(([name, text]) => `## ${name}\n\n${asText(text)}`);
  return `# Command line

${notice}

What \`hearth --help\` and \`hearth COMMAND --help\` print. Exit codes: 0 done, 1 could not be done, 2 a bad command line, 130
cancelled by Ctrl-C. What runs until it is stopped (\`start\`, \`serve\`, \`watch\`) ends with 0 then; \`exec\` passes on its command's.

## hearth

${asText(intro)}
The flags of \`start\`, \`serve\`, \`open\` and \`token\` are the [settings](settings.md).

${others.join("\n")}`;
}

/** The texts of the generated pages by their paths in the checkout, formatted as the format check wants them. */
export async function generatedPages(): Promise<Record<string, string>> {
  const pages = { "docs/reference/settings.md": settingsPage(), "docs/reference/command-line.md": commandLinePage() };
  const formatted = Object.entries(pages).map(
    async ([file, text]) => [file, await format(text, { parser: "markdown", printWidth: 120 })] as const,
  );
  return Object.fromEntries(await Promise.all(formatted));
}
