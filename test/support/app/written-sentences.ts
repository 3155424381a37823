/** Finds the sentences for people in the source of the application server: what its refusals and histories say. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** A sentence as a template: `{}` stands for each value. */
interface WrittenSentence {
  readonly template: string;
  /** File and line. */
  readonly at: string;
}

/** The argument that is a sentence, by the called function. */
const sentenceArgument: Readonly<Record<string, number>> = {
  HttpError: 2,
  badRequest: 1,
  notFound: 0,
  unavailable: 1,
  loginRequired: 1,
  forbiddenState: 1,
  unknown: 1,
  refuse: 2,
  invalidOpenData: 0,
  unknownKey: 0,
  conflict: 1,
  callEntry: 2,
  decision: 2,
  refusal: 1,
  unusable: 1,
  outcomeUnknown: 1,
  lossError: 1,
  NotificationRefused: 1,
  UnfitReply: 1,
  StillBusy: 0,
  SchemaError: 0,
  FileProblem: 0,
  "reporter.at": 1,
  refusing: 0,
  fail: 0,
};

/** What a function adds to the sentence. */
const endings: Readonly<Record<string, string>> = {
  outcomeUnknown: " {}. {}",
  unknownKey: ": log in again and repeat the call.",
  invalidOpenData: ".",
};

/** Members and variables that hold a sentence. */
const sentenceNames = new Set(["text", "description", "advice", "err_msg"]);

/** @param folders folders of the source, relative to `root` */
export function writtenSentences(root: string, folders: readonly string[]): WrittenSentence[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).sort();
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
    const found: WrittenSentence[] = [];
    const add = (node: ts.Node | undefined, ending = "") => {
      if (!node) return;
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      for (const template of templatesOf(node))
        found.push({ template: template + ending, at: `${file}:${String(line)}` });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const name = node.expression.getText();
        add(node.arguments?.[sentenceArgument[name] ?? -1], endings[name]);
      }
      const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node);
      if (isNamed && sentenceNames.has(node.name.getText())) add(node.initializer);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** What may stand in a template's place: a value, or words that are added where they apply. */
const partsOf = (node: ts.Expression): string[] => (ts.isConditionalExpression(node) ? templatesOf(node) : ["{}"]);

/** The templates of an expression: each side of a condition is one, and an addition joins its parts. */
function templatesOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (starts, { expression, literal }) =>
        starts.flatMap((start) => partsOf(expression).map((part) => start + part + literal.text)),
      [node.head.text],
    );
  if (ts.isConditionalExpression(node)) return [...templatesOf(node.whenTrue), ...templatesOf(node.whenFalse)];
  if (ts.isParenthesizedExpression(node)) return templatesOf(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [...templatesOf(node.left), ...templatesOf(node.right)];
  return [];
}

/** The conditions that the schemas of the contract have words for: of a pattern, and `message` of a condition. */
export function schemaMessages(root: string, folders: readonly string[]): WrittenSentence[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).sort();
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
    const found: WrittenSentence[] = [];
    const visit = (node: ts.Node): void => {
      const isPattern =
        ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        node.expression.name.text === "regex";
      const isMessage = ts.isPropertyAssignment(node) && node.name.getText() === "message";
      const words = isPattern ? node.arguments[1] : isMessage ? node.initializer : undefined;
      if (words) for (const template of templatesOf(words)) found.push({ template, at: file });
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}
