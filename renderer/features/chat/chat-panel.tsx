import { Button, NativeSelect } from "@mantine/core";
import { SquarePen } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { InstalledModel } from "../../api/model-client.ts";
import { useInstalledModels } from "../../api/use-installed-models.ts";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ChatEmpty } from "./chat-empty.tsx";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { NoModels } from "./no-models.tsx";
import { useChat } from "./use-chat.ts";
import classes from "./chat.module.css";

/** A conversation with a model of this machine. */
export function ChatPanel() {
  const { t } = useTranslation();
  const { session, chat } = useChat();
  const models = useInstalledModels();
  const model = pickModel(models.data, chat.model);
  const retry = model === undefined ? undefined : () => void session.retry(model);
  return (
    <Page
      title={t("chat.title")}
      fill
      controls={
        <>
          <NativeSelect
            aria-label={t("chat.model")}
            className={classes.model}
            disabled={model === undefined}
            value={model ?? ""}
            onChange={(change) => session.choose(change.currentTarget.value)}
            data={models.data?.map(({ name }) => name) ?? []}
          />
          <Button
            leftSection={<SquarePen size={14} aria-hidden />}
            disabled={chat.turns.length === 0}
            onClick={() => session.startAnew()}
          >
            {t("chat.newChat")}
          </Button>
        </>
      }
    >
      <Conversation chat={chat} empty={!models.isPending && <ChatEmpty model={model} />} onRetry={retry} />
      <div className={classes.foot}>
        {models.error && (
          <Notice kind="error">
            <strong>{t("chat.modelsDown")}</strong>: {models.error.message} {t("chat.modelsDownHint")}
          </Notice>
        )}
        {models.data?.length === 0 && <NoModels />}
        <Composer
          model={model}
          streaming={chat.streaming}
          onSend={(text) => {
            if (model !== undefined) void session.send(model, text);
          }}
          onStop={() => session.stop()}
        />
      </div>
    </Page>
  );
}

/** The chosen model while it is installed, else the first one. */
function pickModel(models: readonly InstalledModel[] | undefined, chosen: string | undefined): string | undefined {
  return models?.find(({ name }) => name === chosen)?.name ?? models?.[0]?.name;
}
