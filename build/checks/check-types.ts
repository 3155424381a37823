/**
 * `node build/checks/check-types.ts page|rest`: types and lint of the console's page, or of all other files. Lint rules spend
 * most of their time in the compiler's type checker, so both share one program.
 */
import { dirname, join } from "node:path";
import { ESLint } from "eslint";
import ts from "typescript";
import { root } from "../root.ts";

const parts = {
  page: { project: "renderer/tsconfig.json", files: "renderer", ignored: [] },
  rest: { project: "tsconfig.json", files: ".", ignored: ["renderer/"] },
};

const host: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => "\n",
};

/** @returns the program, and the compiler's messages as text */
function compile(project: string): { program: ts.Program; problems: string } {
  const { config, error } = ts.readConfigFile(project, (path) => ts.sys.readFile(path)) as {
    config: unknown;
    error?: ts.Diagnostic;
  };
  if (error) throw new Error(ts.formatDiagnostic(error, host));
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(project));
  const program = ts.createProgram(fileNames, options);
  return { program, problems: ts.formatDiagnostics([...errors, ...ts.getPreEmitDiagnostics(program)], host) };
}

/** @returns the lint messages as text; every TypeScript file among them belongs to the program */
async function lint(program: ts.Program, files: string, ignored: string[]): Promise<string> {
  const eslint = new ESLint({
    cwd: root,
    ignorePatterns: ignored,
    overrideConfig: {
      files: ["**/*.{ts,tsx,mts}"],
      languageOptions: { parserOptions: { projectService: false, programs: [program] } },
    },
  });
  const formatter = await eslint.loadFormatter("stylish");
  return formatter.format(await eslint.lintFiles(files));
}

const name = process.argv[2];
if (name !== "page" && name !== "rest") throw new Error(`name a part to check: ${Object.keys(parts).join(", ")}`);
const { project, files, ignored } = parts[name];
const { program, problems } = compile(join(root, project));
const output = problems + (await lint(program, files, ignored));
if (output !== "") {
  console.log(output);
  process.exitCode = 1;
}
