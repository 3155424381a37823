import { lazy, Suspense } from "react";
import classes from "./markdown.module.css";

const MarkdownText = lazy(() => import("./markdown-text.tsx").then((file) => ({ default: file.MarkdownText })));

/** A text in Markdown as GitHub writes it. What was not asked for stays out: pictures are links, HTML is text. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown}>
      <Suspense fallback={<p style={{ whiteSpace: "pre-wrap" }}>{text}</p>}>
        <MarkdownText text={text} />
      </Suspense>
    </div>
  );
}
