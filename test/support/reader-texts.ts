/** The texts of the program that people read, as they stand in its sources. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";

const listed = (...paths: readonly string[]) =>
  execFileSync("git", ["ls-files", ...paths], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean);

/** Pages, sources and templates of the program, its documentation and its repository. */
export const readFiles = listed(
  "docs",
  "renderer",
  "server",
  "electron",
  "README.md",
  "README.zh-CN.md",
  "CHANGELOG.md",
  ".github",
).filter((file) => /[.](?:md|tsx?)$/.test(file));

/** Sources that consist of texts for readers: catalogues, API descriptions, settings, help, rows and reasons. */
export const catalogues = listed(
  "renderer/i18n",
  "renderer/features/settings/setting-texts.zh.ts",
  "server/contract",
  "server/http/openapi",
  "server/app/api-texts.ts",
  "server/app/resources",
  "server/app/**/feature.ts",
  "server/provider/sim-docs.ts",
  "server/provider/payments/buyer/page-texts.ts",
  "server/cli",
  "server/watcher/watch-input.ts",
  "electron/texts",
).filter((file) => file.endsWith(".ts"));

const isPlace = (node: ts.Node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node);

/** The strings of a source, with `X` for each value in a template, and the comments that describe its endpoints. */
export function textsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isPlace(node)) return;
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("X"));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  const described = text.matchAll(/\/[*]{2}((?:(?![*]\/)[^])*)[*]\/\s*(?:export const \w+ = |\w+: )?endpoint\(/g);
  for (const [, comment = ""] of described) texts.push(comment.replace(/^\s*[*] ?/gm, "").trim());
  return texts.filter((one) => /\s|\p{Script=Han}/u.test(one));
}
