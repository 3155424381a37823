import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Overview } from "../../../server/contract/console.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Notice } from "../../ui/notice.tsx";
import { curlSnippet, fetchSnippet, ollamaSnippet, wxSnippet } from "./snippets.ts";
import classes from "./overview.module.css";

/** How a client reaches this run, as code to copy. */
export function ConnectCards({ addresses }: { addresses: Overview["addresses"] }) {
  const { t } = useTranslation();
  return (
    <div className={classes.snippets}>
      <Snippet title={t("overview.snippet.curl")} hint={t("overview.snippet.curlHint")}>
        <CodeBlock code={curlSnippet(addresses)} name={t("overview.snippet.curl")} />
      </Snippet>
      <Snippet title={t("overview.snippet.ollama")} hint={t("overview.snippet.ollamaHint")}>
        {addresses.model === undefined ? (
          <Notice kind="info">{t("overview.snippet.ollamaDown")}</Notice>
        ) : (
          <CodeBlock code={ollamaSnippet(addresses.model)} name={t("overview.snippet.ollama")} />
        )}
      </Snippet>
      <Snippet title={t("overview.snippet.fetch")} hint={t("overview.snippet.fetchHint")}>
        <CodeBlock code={fetchSnippet(addresses)} name={t("overview.snippet.fetch")} />
      </Snippet>
      <Snippet title={t("overview.snippet.wx")} hint={t("overview.snippet.wxHint")}>
        <CodeBlock code={wxSnippet(addresses)} name={t("overview.snippet.wx")} />
      </Snippet>
    </div>
  );
}

function Snippet(props: { title: string; hint: string; children: ReactNode }) {
  return (
    <article className={classes.snippet} aria-label={props.title}>
      <h3>{props.title}</h3>
      <p>{props.hint}</p>
      {props.children}
    </article>
  );
}
