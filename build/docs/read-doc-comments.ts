/** Finds endpoints and the comments that describe them in source text. Reads only the syntax: no types, no imports. */
import ts from "typescript";

/** A comment's text, and the text after @remarks. Paragraphs are separated by an empty line. */
export interface DocText {
  readonly summary: string;
  readonly remarks?: string;
}

/** A name in the documentation file, and its origin (`file:line`). */
export interface DocMember extends DocText {
  readonly name: string;
  readonly where: string;
}

/** The documentation from one source file. */
export interface SourceDocs {
  /** Endpoints that are declared individually. */
  readonly endpoints: readonly DocMember[];
  /** Operations of every collection, by their name in the engine; `{plural}` stands for the collection. */
  readonly operations: readonly DocMember[];
  /** Collections declared in code, by their plural noun. */
  readonly collections: readonly DocMember[];
}

/** @throws Error naming file and line of an endpoint or a collection without a comment */
export function readDocComments(file: string, text: string): SourceDocs {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const endpoints: DocMember[] = [];
  const operations: DocMember[] = [];
  const collections: DocMember[] = [];

  function member(name: string, commented: ts.Node): DocMember {
    const where = `${file}:${String(source.getLineAndCharacterOfPosition(commented.getStart()).line + 1)}`;
    const docs = docText(commented);
    if (docs === undefined) throw new Error(`${where}: ${name} needs a comment (/** … */) that describes it`);
    return { name, where, ...docs };
  }

  function visit(node: ts.Node): void {
    const fields = endpointFields(node);
    if (fields) {
      const operation = operationName(fields);
      const id = textOf(fields, "id");
      if (operation !== undefined) operations.push(member(operation, commentedBy(node)));
      else if (id !== undefined) endpoints.push(member(textOf(fields, "member") ?? id, commentedBy(node)));
    }
    if (ts.isVariableDeclaration(node) && node.type?.getText() === "ResourceDefinition" && node.initializer) {
      const name = ts.isObjectLiteralExpression(node.initializer) ? textOf(node.initializer, "name") : undefined;
      if (name !== undefined) collections.push(member(name, node.parent.parent));
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return { endpoints, operations, collections };
}

/** The object of a call `endpoint({…})`. */
function endpointFields(node: ts.Node): ts.ObjectLiteralExpression | undefined {
  if (!ts.isCallExpression(node) || node.expression.getText() !== "endpoint") return undefined;
  const [fields] = node.arguments;
  return fields && ts.isObjectLiteralExpression(fields) ? fields : undefined;
}

/** The node that the comment belongs to: a variable statement, or a member of an object. */
function commentedBy(call: ts.Node): ts.Node {
  const { parent } = call;
  return ts.isVariableDeclaration(parent) ? parent.parent.parent : parent;
}

const valueOf = (fields: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined =>
  fields.properties.filter(ts.isPropertyAssignment).find((one) => one.name.getText() === name)?.initializer;

function textOf(fields: ts.ObjectLiteralExpression, name: string): string | undefined {
  const value = valueOf(fields, name);
  return value && ts.isStringLiteralLike(value) ? value.text : undefined;
}

/** `list` for an endpoint whose member is `${name}.list`: it exists for every collection. */
function operationName(fields: ts.ObjectLiteralExpression): string | undefined {
  const value = valueOf(fields, "member");
  if (!value || !ts.isTemplateExpression(value)) return undefined;
  return value.templateSpans.at(-1)?.literal.text.replace(/^\./, "");
}

function docText(node: ts.Node): DocText | undefined {
  const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
  const summary = plain(comment?.comment);
  if (summary === "") return undefined;
  const remarks = plain(comment?.tags?.find((tag) => tag.tagName.text === "remarks")?.comment);
  return { summary, ...(remarks !== "" && { remarks }) };
}

/** Joins lines that were wrapped. */
const plain = (comment: Parameters<typeof ts.getTextOfJSDocComment>[0]): string =>
  (ts.getTextOfJSDocComment(comment) ?? "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, " ").trim())
    .filter(Boolean)
    .join("\n\n");
