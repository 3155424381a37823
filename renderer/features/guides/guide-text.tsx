import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { textOf } from "../../ui/code/text-of.ts";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import type { MarkdownParts } from "../../ui/markdown/markdown-tree.tsx";
import { anchorOf, readLink, type GuidePage } from "./read-guide.ts";
import classes from "./guides.module.css";

/** One guide. Its links to other guides open these here; what else a guide refers to is named, but not linked. */
export function GuideText(props: {
  guide: GuidePage;
  /** The names of all guides. */
  names: readonly string[];
  section: string | undefined;
  onOpen: (guide: string, section?: string) => void;
}) {
  const { t } = useTranslation();
  const { guide, names, section, onOpen } = props;
  const box = useRef<HTMLDivElement>(null);
  const open = useRef({ names, onOpen });
  useEffect(() => {
    open.current = { names, onOpen };
  });
  useEffect(() => {
    const article = box.current;
    if (!article) return;
    // The text may come a moment later, with the code that shows Markdown.
    const show = () => {
      const heading = section === undefined ? article : article.querySelector(`#${CSS.escape(section)}`);
      heading?.scrollIntoView({ block: "start" });
      return heading !== null;
    };
    if (show()) return;
    const observer = new MutationObserver(() => {
      if (show()) observer.disconnect();
    });
    observer.observe(article, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [guide, section]);
  const parts = useMemo(
    (): MarkdownParts => ({
      a: ({ address = "", children }) => {
        const { file, anchor } = readLink(address);
        const name = file === "" ? guide.name : file.replace(/\.md$/, "");
        if (/^https?:/.test(address))
          return (
            <a href={address} target="_blank" rel="noreferrer">
              {children}
            </a>
          );
        if (!open.current.names.includes(name)) return <>{children}</>;
        return (
          <button type="button" className={classes.link} onClick={() => open.current.onOpen(name, anchor)}>
            {children}
          </button>
        );
      },
      h2: ({ children }) => <h3 id={anchorOf(textOf(children))}>{children}</h3>,
      h3: ({ children }) => <h4 id={anchorOf(textOf(children))}>{children}</h4>,
    }),
    [guide],
  );
  return (
    <div className={classes.scroller} tabIndex={0} role="region" aria-label={guide.title}>
      <article className={classes.article} ref={box} aria-label={t("guides.guide", { title: guide.title })}>
        <Markdown text={guide.markdown} parts={parts} />
      </article>
    </div>
  );
}
