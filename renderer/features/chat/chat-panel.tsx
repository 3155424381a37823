import { ActionIcon, Button, NativeSelect, Tooltip } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { MessagesSquare, SlidersHorizontal, SquarePen } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
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
import { shownPath, shownTurns, turnKeys, versionsOf } from "./conversations/branches.ts";
import type { Versions } from "./transcript/branch-switch.tsx";
import { chatRequestOf } from "./conversations/chat-request.ts";
import type { ChatSearch } from "./chat-search.ts";
import type { BegunChat } from "./conversations/chats.ts";
import { useChats } from "./conversations/use-chats.ts";
import { Composer } from "./composer.tsx";
import { ConversationList } from "./conversation-list.tsx";
import type { Conversation, Turn } from "./conversations/conversation.ts";
import { NoModels } from "./no-models.tsx";
import { RequestView } from "./request-view.tsx";
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
  const { open, draftId, drafts, change, ask, stop, versionsAt, loaded, gone, problem, streaming, wait, error } =
    useOpenChat(search, (id) => go({ conversation: id, model: undefined }));
  const openOne = (id: string | undefined) => go({ conversation: id, model: undefined, panel: undefined });
  const startAnew = () => openOne("new");
  useActions([
    { id: "chat.settings", group: t("nav.chat"), label: t("chat.settings"), run: () => go({ panel: "settings" }) },
    { id: "chat.request", group: t("nav.chat"), label: t("chat.request"), run: () => go({ panel: "request" }) },
  ]);

  const talking = models.data?.filter(canTalk);
  const model = pickModel(talking, open.model);
  const turns = shownTurns(open);
  const say = (content: string) => {
    if (model !== undefined) ask(model, turns.length, [{ role: "user", content }]);
  };
  const titles = { list: t("chat.conversations"), settings: t("chat.settings"), request: t("chat.request") };
  const toggle = (panel: NonNullable<ChatSearch["panel"]>) => go({ panel: search.panel === panel ? undefined : panel });
  const stored = "id" in open ? open : undefined;
  return (
    <Page
      title={t("chat.title")}
      fill
      controls={
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
            onChange={(event) => change({ model: event.currentTarget.value })}
            data={talking?.map(({ name }) => name) ?? []}
          />
          <Button
            className={classes.tool}
            leftSection={<SlidersHorizontal size={14} aria-hidden />}
            aria-expanded={search.panel === "settings"}
            onClick={() => toggle("settings")}
          >
            {t("chat.settings")}
          </Button>
          <ChatMenu conversation={stored} onRequest={() => go({ panel: "request" })} />
          <Button
            className={classes.tool}
            leftSection={<SquarePen size={14} aria-hidden />}
            disabled={!stored}
            onClick={startAnew}
          >
            {t("chat.newChat")}
          </Button>
        </>
      }
    >
      <SplitView
        title={search.panel && titles[search.panel]}
        onClose={() => go({ panel: undefined })}
        inspector={
          search.panel === "list" ? (
            <ConversationList open={stored?.id} onOpen={openOne} />
          ) : search.panel === "settings" ? (
            <SettingsForm settings={open.settings} onChange={(settings) => change({ settings })} />
          ) : (
            <RequestView request={chatRequestOf(model ?? "", open.settings, turns)} />
          )
        }
      >
        <div className={classes.frame}>
          <nav className={classes.side} aria-label={t("chat.conversations")}>
            <ConversationList open={stored?.id} onOpen={openOne} />
          </nav>
          <div className={classes.main}>
            <Transcript
              key={stored?.id}
              turns={turns}
              keys={turnKeys(open)}
              streaming={streaming}
              wait={wait}
              model={open.model}
              error={error}
              empty={loaded && !models.isPending && <ChatEmpty model={model} onAsk={say} />}
              onAsk={model === undefined ? undefined : (after, newTurns) => ask(model, after, newTurns)}
              versionsAt={versionsAt}
            />
            <div className={classes.foot} data-lower-edge>
              {models.error && (
                <Notice kind="error">
                  <strong>{t("chat.modelsDown")}</strong>: {models.error.message} {t("chat.modelsDownHint")}
                </Notice>
              )}
              {talking?.length === 0 && <NoModels />}
              {gone && <Notice kind="info">{t("chat.gone")}</Notice>}
              {problem !== undefined && (
                <Notice kind="error">
                  <strong>{t("chat.notStored")}</strong>: {problem}
                </Notice>
              )}
              <Composer id={draftId} drafts={drafts} model={model} streaming={streaming} onSend={say} onStop={stop} />
            </div>
          </div>
        </div>
      </SplitView>
    </Page>
  );
}

/**
 * The conversation in the address, or a new one that starts with the first question. Where the address names none, the
 * newest one is opened once: those that other windows change meanwhile do not take its place.
 */
function useOpenChat(search: ChatSearch, onOpen: (id: string) => void) {
  const { state, chats } = useChats();
  useEffect(() => {
    const load = () => void chats.load();
    load();
    // Another window may have changed them meanwhile.
    window.addEventListener("focus", load);
    return () => window.removeEventListener("focus", load);
  }, [chats]);
  const { begun } = state;
  const begins = search.conversation === "new" || (search.conversation === undefined && search.model !== undefined);
  const isUnnamed = search.conversation === undefined && !begins;
  const stored = isUnnamed ? state.conversations[0] : state.conversations.find(({ id }) => id === search.conversation);
  const openNewest = useEffectEvent(() => onOpen(stored?.id ?? "new"));
  useEffect(() => {
    if (isUnnamed && state.loaded) openNewest();
  }, [isUnnamed, state.loaded]);
  const open: Conversation | Omit<Conversation, "id" | "changedAt"> = stored ?? {
    ...begun,
    model: search.model ?? begun.model,
    turns: [],
  };
  return {
    open,
    draftId: isUnnamed ? "" : (search.conversation ?? "new"),
    drafts: chats.drafts,
    loaded: state.loaded,
    gone: state.loaded && !begins && !stored && search.conversation !== undefined,
    problem: state.problem,
    streaming: stored !== undefined && state.streaming.has(stored.id),
    wait: stored && state.streaming.get(stored.id),
    error: stored && state.errors.get(stored.id),
    change: (change: Partial<BegunChat>) => {
      if (stored) return chats.change(stored.id, change);
      chats.begin(change);
      // What is chosen here takes the place of what the address has chosen.
      if (change.model !== undefined && search.model !== undefined) onOpen("new");
    },
    ask: (model: string, after: number, newTurns: readonly Turn[]) => {
      const id = stored?.id ?? chats.create({ settings: begun.settings });
      if (!stored) onOpen(id);
      void chats.ask(id, model, after, newTurns);
    },
    versionsAt: (position: number): Versions | undefined => {
      const index = shownPath(open)[position];
      if (!stored || index === undefined) return undefined;
      const versions = versionsOf(open.turns, index);
      if (versions.length < 2) return undefined;
      return {
        shown: versions.indexOf(index),
        count: versions.length,
        show: (version) => chats.show(stored.id, versions[version] ?? index),
      };
    },
    stop: () => {
      if (stored) chats.stop(stored.id);
    },
  };
}

/** Embedding models cannot chat; models without stated capabilities are assumed to. */
const canTalk = ({ capabilities }: ServedModel) => capabilities?.includes("completion") ?? true;

/** The chosen model while it is installed, else the first one. */
function pickModel(models: readonly ServedModel[] | undefined, chosen = ""): string | undefined {
  return (models?.find(({ name }) => isSameModel(name, chosen)) ?? models?.[0])?.name;
}
