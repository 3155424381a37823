import { CommanderError } from "commander";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { helpText, parseCommandLine } from "../../../server/cli/command-parser.ts";
import { commands } from "../../../server/cli/commands.ts";
import { SettingsError } from "../../../server/process/settings/read-settings.ts";

let printed = "";
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((printed += String(text))));
});
afterEach(() => void vi.restoreAllMocks());

function helpBy(...argv: string[]): string {
  expect(() => parseCommandLine(argv, commands)).toThrow(CommanderError);
  return printed;
}

it.each([
  ["tokn", "unknown command tokn (did you mean token?); --help lists them"],
  ["help tokn", "unknown command tokn (did you mean token?); --help lists them"],
  ["frobnicate", "unknown command frobnicate; --help lists them"],
  ["serve --app-prt 1", "unknown flag --app-prt (did you mean --app-port?); --help lists them"],
  ["types --chek", "unknown flag --chek (did you mean --check?); --help lists them"],
  ["token ada bob", "unexpected argument bob; --help lists the flags"],
])("hearth %s is refused with a suggestion where there is one", (line, message) => {
  expect(() => parseCommandLine(line.split(" "), commands)).toThrow(new SettingsError(message));
});

it.each([
  ["token", "--help"],
  ["help", "token"],
  ["token", "ada", "-h"],
])("hearth %s %s prints the command's help", (...argv) => {
  expect(helpBy(...argv)).toMatch(/^Usage: hearth token \[flags\] \[USER\]\n/);
});

it("prints the help of an action, and lists the actions in that of their command", () => {
  expect(helpBy("keys", "add", "--help")).toContain("Usage: hearth keys add [flags] NAME");
  expect(helpText(commands, "keys")).toMatch(/remove ID +remove a key/);
});

it("names every command in a general help of 70 lines at most", () => {
  const help = helpBy("--help");
  expect(help).toBe(helpText(commands));
  expect(help.trimEnd().split("\n").length).toBeLessThanOrEqual(70);
  for (const { name, group } of commands)
    if (group !== undefined) expect(help).toMatch(new RegExp(`^  ${name}\\b`, "m"));
});

it.each([
  [[], "start", {}],
  [["--headless"], "start", { headless: "true" }],
  [["--data-dir", "token", "--no-open", "serve"], "serve", { data_dir: "token", open: "false" }],
  [["--DATA_DIR=x", "login", "ada"], "login", { data_dir: "x", user: "ada" }],
  [["ls"], "list", {}],
  [["keys", "list"], "keys", {}],
  [["keys", "--data-dir", "x"], "keys", { data_dir: "x" }],
  [["keys", "add", "ci", "--days", "3"], "keys add", { name: "ci", days: "3" }],
  [
    ["watch", "d", "--exclude", "a", "--exclude", "b", "--no-catch-up"],
    "watch",
    { dir: "d", exclude: ["a", "b"], catch_up: false },
  ],
  [["exec", "--coverage", "--", "npm", "--help"], "exec", { coverage: "-", command: ["npm", "--help"] }],
  [["exec", "--coverage", "c.json", "--", "npm", ""], "exec", { coverage: "c.json", command: ["npm", ""] }],
  [["create", "a", "-f", "-"], "create", { name: "a", file: "-" }],
] as const)("reads hearth %j as %s with %j", (argv, name, input) => {
  const parsed = parseCommandLine(argv, commands);
  expect(parsed.row.name).toBe(name);
  expect(parsed.input).toEqual(input);
});
