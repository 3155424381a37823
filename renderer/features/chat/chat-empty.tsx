import { MessageSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useOverview } from "../../api/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import classes from "./chat.module.css";

export function ChatEmpty({ model }: { model: string | undefined }) {
  const { t } = useTranslation();
  const { data } = useOverview();
  // Shown completely at once, because growing text would move the page.
  if (!data) return null;
  const body = JSON.stringify({ model: model ?? "…", messages: [{ role: "user", content: "Hello" }] });
  const address = data.addresses.model;
  return (
    <EmptyState
      icon={<MessageSquare size={26} strokeWidth={1.5} aria-hidden />}
      title={t("chat.emptyTitle")}
      text={t("chat.emptyText")}
    >
      {address !== undefined && (
        <>
          <p className={classes.terminal}>{t("chat.emptyTerminal")}</p>
          <CodeBlock code={`curl ${address}/api/chat \\\n  -d '${body}'`} name="curl" />
        </>
      )}
    </EmptyState>
  );
}
