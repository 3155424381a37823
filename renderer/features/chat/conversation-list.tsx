import { ActionIcon, TextInput } from "@mantine/core";
import { LoaderCircle, PencilLine, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { RelativeTime } from "../../ui/marks/relative-time.tsx";
import { useToast } from "../../ui/dialogs/toast.ts";
import { useChats } from "./conversations/use-chats.ts";
import type { Conversation } from "./conversations/conversation.ts";
import { titleOf } from "./conversations/title.ts";
import classes from "./chat.module.css";

/** The stored conversations, the newest first; each can be renamed and deleted. */
export function ConversationList(props: { open: string | undefined; onOpen: (id: string | undefined) => void }) {
  const { t } = useTranslation();
  const { state } = useChats();
  return (
    <ul className={classes.list} aria-label={t("chat.conversations")}>
      {state.conversations.map((conversation) => (
        <Entry
          key={conversation.id}
          conversation={conversation}
          isOpen={conversation.id === props.open}
          isStreaming={state.streaming.has(conversation.id)}
          onOpen={props.onOpen}
        />
      ))}
    </ul>
  );
}

function Entry(props: {
  conversation: Conversation;
  isOpen: boolean;
  isStreaming: boolean;
  onOpen: (id: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const toast = useToast();
  const { chats } = useChats();
  const [renaming, setRenaming] = useState(false);
  const { conversation, isOpen, onOpen } = props;
  const { id, changedAt } = conversation;
  const title = titleOf(conversation) || t("chat.untitled");
  const remove = () => {
    chats.remove(id);
    if (isOpen) onOpen(undefined);
    toast.undo(t("chat.removed", { title }), () => {
      chats.restore(conversation);
      onOpen(id);
    });
  };
  if (renaming)
    return (
      <li className={classes.entry} data-open={isOpen}>
        <TextInput
          className={classes.rename}
          aria-label={t("chat.renameOf", { title })}
          defaultValue={title}
          ref={(field) => field?.focus()}
          data-mantine-stop-propagation // Escape is for the name alone
          onKeyDown={(event) => {
            if (event.key === "Enter") event.currentTarget.blur();
            if (event.key === "Escape") setRenaming(false);
          }}
          onBlur={(event) => {
            const name = event.currentTarget.value.trim();
            if (name !== "" && name !== title) chats.change(id, { title: name });
            setRenaming(false);
          }}
        />
      </li>
    );
  return (
    <li className={classes.entry} data-open={isOpen}>
      <button
        type="button"
        className={classes.entryOpen}
        aria-current={isOpen}
        data-focus-home
        onClick={() => onOpen(id)}
      >
        <span className={classes.entryTitle} title={title}>
          {title}
        </span>
        <span className={classes.entryTime}>
          {props.isStreaming ? (
            <>
              <LoaderCircle size={11} aria-hidden /> {t("chat.answering")}
            </>
          ) : (
            <RelativeTime iso={new Date(changedAt).toISOString()} />
          )}
        </span>
      </button>
      <span className={classes.entryTools}>
        <ActionIcon size={24} aria-label={t("chat.renameOf", { title })} onClick={() => setRenaming(true)}>
          <PencilLine size={12} aria-hidden />
        </ActionIcon>
        <ActionIcon size={24} aria-label={t("chat.removeOf", { title })} onClick={remove}>
          <Trash2 size={12} aria-hidden />
        </ActionIcon>
      </span>
    </li>
  );
}
