import { Suspense } from "react";
import type { Components } from "react-markdown";
import { lazyPagePart } from "../lazy-part.ts";
import classes from "./markdown.module.css";

const MarkdownText = lazyPagePart(
  () => import("./markdown-text.tsx"),
  (file) => file.MarkdownText,
);

/**
 * Text in GitHub's Markdown. Unrequested content is excluded: images become links, HTML becomes text. `components` show
 * some elements in another way; they must not change from one rendering to the next.
 */
export function Markdown({ text, components }: { text: string; components?: Components }) {
  return (
    <div className={classes.markdown}>
      <Suspense fallback={<p style={{ whiteSpace: "pre-wrap" }}>{text}</p>}>
        <MarkdownText text={text} components={components} />
      </Suspense>
    </div>
  );
}
