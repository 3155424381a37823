import { Button } from "@mantine/core";
import { MessageSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { isStarter } from "./starter-model.ts";
import classes from "./chat.module.css";

/** Shows how to begin. For the starter model it offers questions that this model can answer. */
export function ChatEmpty({ model, onAsk }: { model: string | undefined; onAsk: (question: string) => void }) {
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
      {isStarter(model) && (
        <div className={classes.questions}>
          {[t("chat.question.what"), t("chat.question.ports"), t("chat.question.login")].map((question) => (
            <Button key={question} radius="xl" onClick={() => onAsk(question)}>
              {question}
            </Button>
          ))}
        </div>
      )}
      {address !== undefined && (
        <>
          <p className={classes.terminal}>{t("chat.emptyTerminal")}</p>
          <CodeBlock code={`curl ${address}/api/chat \\\n  -d '${body}'`} name="curl" />
        </>
      )}
    </EmptyState>
  );
}
