import { lazy, Suspense } from "react";
import classes from "./markdown.module.css";

const MarkdownText = lazy(() => import("./markdown-text.tsx").then((file) => ({ default: file.MarkdownText })));

/** Text in GitHub's Markdown. Unrequested content is excluded: images become links, HTML becomes text. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown}>
      <Suspense fallback={<p style={{ whiteSpace: "pre-wrap" }}>{text}</p>}>
        <MarkdownText text={text} />
      </Suspense>
    </div>
  );
}
