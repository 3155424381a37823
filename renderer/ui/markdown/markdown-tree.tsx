import { createElement, memo, type FunctionComponent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CodeBlock } from "../code/code-block.tsx";
import { textOf } from "../code/text-of.ts";
import classes from "./markdown.module.css";
import type { MarkdownElement, MarkdownNode, MarkdownTag } from "./parse-markdown.ts";

type PartProps = Omit<MarkdownElement, "children"> & { readonly children?: ReactNode };
/** Components that show some elements. */
export type MarkdownParts = Readonly<Partial<Record<MarkdownTag, FunctionComponent<PartProps>>>>;

/** The elements of a text that was read. */
export const MarkdownTree = memo(function MarkdownTree(props: {
  tree: readonly MarkdownNode[];
  parts?: MarkdownParts | undefined;
}) {
  const all = props.parts ? { ...ownParts, ...props.parts } : ownParts;
  return <>{props.tree.map((node, index) => elementOf(node, index, all))}</>;
});

function elementOf(node: MarkdownNode, key: number, parts: MarkdownParts): ReactNode {
  if (typeof node === "string") return node;
  const Part = parts[node.tag];
  const children =
    node.children.length === 0 ? undefined : node.children.map((child, index) => elementOf(child, index, parts));
  if (Part)
    return (
      <Part {...node} key={key}>
        {children}
      </Part>
    );
  const { tag, start, align } = node;
  return createElement(tag, { key, start, ...(align && { style: { textAlign: align } }) }, children);
}

/** Only web addresses become links: others would lead into the page itself or start a program. Their text remains. */
function Link({ address, children }: { address: string | undefined; children: ReactNode }) {
  if (address === undefined || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return children;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

const ownParts: MarkdownParts = {
  // The page's own headings rank above those of a text within it.
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  a: ({ address, children }) => <Link address={address}>{children}</Link>,
  // An image would be loaded from any address in the text.
  img: ({ address, alternative = "" }) => <Link address={address}>{alternative === "" ? address : alternative}</Link>,
  input: ({ isDone = false }) => <Task isDone={isDone} />,
  pre: ({ children }) => <Code>{children}</Code>,
  table: ({ children }) => (
    <div className={classes.table} tabIndex={0} role="group">
      <table>{children}</table>
    </div>
  ),
};

/** The box of a task list. */
function Task({ isDone }: { isDone: boolean }) {
  const { t } = useTranslation();
  return (
    <input type="checkbox" checked={isDone} disabled aria-label={t(isDone ? "common.taskDone" : "common.taskOpen")} />
  );
}

function Code({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  return <CodeBlock code={textOf(children).replace(/\n$/, "")} name={t("common.code")} />;
}
