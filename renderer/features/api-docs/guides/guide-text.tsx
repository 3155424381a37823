import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Markdown } from "../../../ui/code/markdown.tsx";
import { textOf } from "../../../ui/code/text-of.ts";
import { anchorOf, readLink, type Guide } from "./read-guide.ts";
import classes from "./guides.module.css";

/** One guide. Its links to other guides open these here; what else a guide refers to is named, but not linked. */
export function GuideText(props: {
  guide: Guide;
  /** Of all guides. */
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
  const components = useMemo(
    () => ({
      a: ({ href = "", children }: { href?: string | undefined; children?: ReactNode }) => {
        const { file, anchor } = readLink(href);
        const name = file === "" ? guide.name : file.replace(/\.md$/, "");
        if (/^https?:/.test(href))
          return (
            <a href={href} target="_blank" rel="noreferrer">
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
      h2: ({ children }: { children?: ReactNode }) => <h3 id={anchorOf(textOf(children))}>{children}</h3>,
      h3: ({ children }: { children?: ReactNode }) => <h4 id={anchorOf(textOf(children))}>{children}</h4>,
    }),
    [guide],
  );
  return (
    <div className={classes.scroller} tabIndex={0} role="region" aria-label={guide.title}>
      <article className={classes.article} ref={box} aria-label={t("apiDocs.guide", { title: guide.title })}>
        <Markdown text={guide.markdown} components={components} />
      </article>
    </div>
  );
}
