import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./code-block.tsx";
import { isQuickMarkdown } from "./markdown-cost.ts";
import classes from "./markdown.module.css";
import { textOf } from "./text-of.ts";

export const MarkdownText = memo(function MarkdownText(props: { text: string; components: Components | undefined }) {
  const { text } = props;
  if (!isQuickMarkdown(text)) return <p style={{ whiteSpace: "pre-wrap" }}>{text}</p>;
  return (
    <ReactMarkdown
      remarkPlugins={plugins}
      components={props.components ? { ...components, ...props.components } : components}
    >
      {text}
    </ReactMarkdown>
  );
});

const plugins = [remarkGfm];

/** Only web addresses become links: others would lead into the page itself or start a program. Their text remains. */
function Link({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined || !/^https?:\/\//i.test(href) || !URL.canParse(href)) return children;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

const components: Components = {
  // The page's own headings rank above those of a text within it.
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  // An image would be loaded from any address in the text.
  img: ({ src, alt }) => <Link href={typeof src === "string" ? src : undefined}>{alt === "" ? src : alt}</Link>,
  input: ({ checked }) => <Task isDone={checked === true} />,
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
