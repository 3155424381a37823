import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Overview } from "../../../server/contract/console/console.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { curlSnippet, fetchSnippet, ollamaSnippet, openaiSnippet, paySnippet, wxSnippet } from "./snippets.ts";
import classes from "./overview.module.css";

/** Addresses of this run for clients, as code to copy. */
export function ConnectCards({ addresses }: { addresses: Overview["addresses"] }) {
  const { t } = useTranslation();
  return (
    <div className={classes.snippets}>
      <Snippet title={t("overview.snippet.curl")} hint={t("overview.snippet.curlHint")}>
        <CodeBlock code={curlSnippet(addresses)} name={t("overview.snippet.curl")} />
      </Snippet>
      <Snippet title={t("overview.snippet.ollama")} hint={t("overview.snippet.ollamaHint")}>
        <ModelCode address={addresses.model} code={ollamaSnippet} name={t("overview.snippet.ollama")} />
      </Snippet>
      <Snippet title={t("overview.snippet.fetch")} hint={t("overview.snippet.fetchHint")}>
        <CodeBlock code={fetchSnippet(addresses)} name={t("overview.snippet.fetch")} />
      </Snippet>
      <Snippet title={t("overview.snippet.wx")} hint={t("overview.snippet.wxHint")}>
        <CodeBlock code={wxSnippet(addresses)} name={t("overview.snippet.wx")} />
      </Snippet>
      <Snippet title={t("overview.snippet.openai")} hint={t("overview.snippet.openaiHint")}>
        <ModelCode address={addresses.model} code={openaiSnippet} name={t("overview.snippet.openai")} />
      </Snippet>
      <Snippet title={t("overview.snippet.pay")} hint={t("overview.snippet.payHint")}>
        <CodeBlock code={paySnippet(addresses)} name={t("overview.snippet.pay")} />
      </Snippet>
    </div>
  );
}

/** Undefined while the model service is down. */
function ModelCode(props: { address: string | undefined; code: (address: string) => string; name: string }) {
  const { t } = useTranslation();
  if (props.address === undefined) return <Notice kind="info">{t("overview.snippet.ollamaDown")}</Notice>;
  return <CodeBlock code={props.code(props.address)} name={props.name} />;
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
