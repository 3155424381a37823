import { ActionIcon, Button, NativeSelect, Tooltip } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { MessagesSquare, SlidersHorizontal, SquarePen } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ServedModel } from "../../../server/contract/model/model-client.ts";
import { isSameModel } from "../../api/queries/model-name.ts";
import { useInstalledModels } from "../../api/queries/use-installed-models.ts";
import { useChangeSearch, usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { useActions } from "../../ui/keyboard/actions.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import { ChatEmpty } from "./chat-empty.tsx";
import { ChatMenu } from "./chat-menu.tsx";
import { visibleTurns, turnKeys } from "./conversations/branches.ts";
import { chatRequestOf } from "./conversations/chat-request.ts";
import type { ChatSearch } from "./chat-search.ts";
import { Composer } from "./composer.tsx";
import { ConversationList } from "./conversation-list.tsx";
import type { Conversation } from "./conversations/conversation.ts";
import { ImageNotice, useRefusedImages } from "./image-notice.tsx";
import { NoModels } from "./no-models.tsx";
import { RequestView } from "./request-view.tsx";
import { useOpenChat, type OpenChat } from "./use-open-chat.ts";
import { SettingsForm } from "./settings-form.tsx";
import { Transcript } from "./transcript/transcript.tsx";
import classes from "./chat.module.css";

const route = getRouteApi("/chat");

/** Conversations with the models of this machine. */
export function ChatPanel() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = usePageNavigate(route);
  const models = useInstalledModels();
  const go = useChangeSearch<ChatSearch>(navigate);
  const chat = useOpenChat(search, (id) => go({ conversation: id, model: undefined }));
  const { open, ask } = chat;
  const openOne = (id: string | undefined) => go({ conversation: id, model: undefined, panel: undefined });
  useActions([
    { id: "chat.settings", group: t("nav.chat"), label: t("chat.settings"), run: () => go({ panel: "settings" }) },
    { id: "chat.request", group: t("nav.chat"), label: t("chat.request"), run: () => go({ panel: "request" }) },
  ]);

  const chatModels = models.data?.filter(canChat);
  const model = pickModel(chatModels, open.model);
  const turns = visibleTurns(open);
  const images = useRefusedImages();
  const send = (content: string) => {
    images.dismiss();
    if (model !== undefined) ask(model, turns.length, [{ role: "user", content }]);
  };
  const titles = { list: t("chat.conversations"), settings: t("chat.settings"), request: t("chat.request") };
  const stored = "id" in open ? open : undefined;
  const list = <ConversationList open={stored?.id} onOpen={openOne} />;
  return (
    <Page
      title={t("chat.title")}
      fill
      controls={
        <ChatControls
          models={chatModels}
          model={model}
          conversation={stored}
          panel={search.panel}
          onModel={(next) => chat.change({ model: next })}
          onPanel={(panel) => go({ panel })}
          onNew={() => openOne("new")}
        />
      }
    >
      <SplitView
        title={search.panel && titles[search.panel]}
        onClose={() => go({ panel: undefined })}
        inspector={
          search.panel === "list" ? (
            list
          ) : search.panel === "settings" ? (
            <SettingsForm settings={open.settings} onChange={(settings) => chat.change({ settings })} />
          ) : (
            <RequestView request={chatRequestOf(model ?? "", open.settings, turns)} />
          )
        }
      >
        <div className={classes.frame}>
          <nav className={classes.side} aria-label={t("chat.conversations")}>
            {list}
          </nav>
          <div className={classes.main} {...images.handlers}>
            <Transcript
              key={stored?.id}
              turns={turns}
              keys={turnKeys(open)}
              streaming={chat.streaming}
              wait={chat.wait}
              model={open.model}
              error={chat.error}
              empty={chat.loaded && !models.isPending && <ChatEmpty model={model} onAsk={send} />}
              onAsk={model === undefined ? undefined : (after, newTurns) => ask(model, after, newTurns)}
              versionsAt={chat.versionsAt}
            />
            <div className={classes.foot} data-lower-edge>
              <Notices modelsError={models.error} noModels={chatModels?.length === 0} chat={chat} />
              {images.isRefused && <ImageNotice models={models.data} />}
              <Composer
                id={chat.draftId}
                drafts={chat.drafts}
                model={model}
                streaming={chat.streaming}
                onSend={send}
                onStop={chat.stop}
              />
            </div>
          </div>
        </div>
      </SplitView>
    </Page>
  );
}

/** Chooses the model, and opens the panels and a new conversation. */
function ChatControls(props: {
  models: readonly ServedModel[] | undefined;
  model: string | undefined;
  conversation: Conversation | undefined;
  panel: ChatSearch["panel"];
  onModel: (model: string) => void;
  onPanel: (panel: ChatSearch["panel"]) => void;
  onNew: () => void;
}) {
  const { t } = useTranslation();
  const { model, panel, onPanel } = props;
  const toggle = (next: ChatSearch["panel"]) => onPanel(panel === next ? undefined : next);
  return (
    <>
      <Tooltip label={t("chat.conversations")}>
        <ActionIcon
          className={classes.listButton}
          variant="default"
          size={30}
          aria-label={t("chat.conversations")}
          onClick={() => toggle("list")}
        >
          <MessagesSquare size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <NativeSelect
        aria-label={t("chat.model")}
        className={classes.model}
        disabled={model === undefined}
        value={model ?? ""}
        onChange={(event) => props.onModel(event.currentTarget.value)}
        data={props.models?.map(({ name }) => name) ?? []}
      />
      <Button
        className={classes.tool}
        leftSection={<SlidersHorizontal size={14} aria-hidden />}
        aria-expanded={panel === "settings"}
        onClick={() => toggle("settings")}
      >
        {t("chat.settings")}
      </Button>
      <ChatMenu conversation={props.conversation} onRequest={() => onPanel("request")} />
      <Button
        className={classes.tool}
        leftSection={<SquarePen size={14} aria-hidden />}
        disabled={!props.conversation}
        onClick={props.onNew}
      >
        {t("chat.newChat")}
      </Button>
    </>
  );
}

/** Reports missing models, a missing conversation, and changes that could not be stored. */
function Notices({ modelsError, noModels, chat }: { modelsError: Error | null; noModels: boolean; chat: OpenChat }) {
  const { t } = useTranslation();
  return (
    <>
      {modelsError && (
        <Notice kind="error">
          <strong>{t("chat.modelsDown")}</strong>: {modelsError.message} {t("chat.modelsDownHint")}
        </Notice>
      )}
      {noModels && <NoModels />}
      {chat.gone && <Notice kind="info">{t("chat.gone")}</Notice>}
      {chat.problem !== undefined && (
        <Notice kind="error">
          <strong>{t("chat.notStored")}</strong>: {chat.problem}
        </Notice>
      )}
    </>
  );
}

/** Embedding models cannot chat; models without stated capabilities are assumed to. */
const canChat = ({ capabilities }: ServedModel) => capabilities?.includes("completion") ?? true;

/** The chosen model while it is installed, otherwise the first one. */
function pickModel(models: readonly ServedModel[] | undefined, chosen = ""): string | undefined {
  // The newest one that says it can answer: one that cannot run says nothing.
  const newest = models?.find(({ capabilities }) => capabilities?.includes("completion")) ?? models?.[0];
  return (models?.find(({ name }) => isSameModel(name, chosen)) ?? newest)?.name;
}
