import { startTransition, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { LongText } from "../code/long-text.tsx";
import { createMarkdownReader, type FromMarkdownWorker, type ReadMarkdown } from "./markdown-reader.ts";
import { MarkdownTree, type MarkdownParts } from "./markdown-tree.tsx";
import classes from "./markdown.module.css";

/** One for all texts, which are not read again when they are shown again. */
const reader = createMarkdownReader((onMessage, onFailure) => {
  const worker = new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<FromMarkdownWorker>) => onMessage(data);
  worker.onerror = onFailure;
  return { read: (text) => worker.postMessage(text), end: () => worker.terminate() };
});

/** The reading of a text so far. While a longer one is read, this is the tree of its beginning. */
function useRead(text: string): ReadMarkdown | undefined {
  const [last, setLast] = useState<{ text: string; read: ReadMarkdown }>();
  useEffect(() => reader.read(text, (read) => startTransition(() => setLast({ text, read }))), [text]);
  return reader.known(text) ?? (last && text.startsWith(last.text) ? last.read : undefined);
}

/**
 * Text in GitHub's Markdown. Unrequested content is excluded: images become links, HTML becomes text. `parts` show some
 * elements in another way; they must not change from one rendering to the next.
 */
export function Markdown({ text, parts }: { text: string; parts?: MarkdownParts }) {
  const { t } = useTranslation();
  const read = useRead(text);
  return (
    <div className={classes.markdown}>
      {read === undefined || read === "plain" ? <LongText text={text} /> : <MarkdownTree tree={read} parts={parts} />}
      {read === "plain" && (
        <p className={classes.note} role="note">
          {t("common.markdownAsText")}
        </p>
      )}
    </div>
  );
}
