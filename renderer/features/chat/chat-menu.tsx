import { ActionIcon, Menu } from "@mantine/core";
import { Braces, Ellipsis, FileDown, FileJson } from "lucide-react";
import { useTranslation } from "react-i18next";
import { asMarkdown, fileNameOf } from "./conversations/chat-export.ts";
import type { Conversation } from "./conversations/conversation.ts";
import { saveText } from "../../ui/code/save-text.ts";

/** Further actions on the open conversation. */
export function ChatMenu({
  conversation,
  onRequest,
}: {
  conversation: Conversation | undefined;
  onRequest: () => void;
}) {
  const { t } = useTranslation();
  const save = (ending: "md" | "json") => {
    if (!conversation) return;
    const text = ending === "md" ? asMarkdown(conversation, t("chat.you")) : JSON.stringify(conversation, null, 2);
    saveText(fileNameOf(conversation, ending), ending === "md" ? "text/markdown" : "application/json", text);
  };
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t("chat.more")}>
          <Ellipsis size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Braces size={14} aria-hidden />} onClick={onRequest}>
          {t("chat.request")}
        </Menu.Item>
        <Menu.Item leftSection={<FileDown size={14} aria-hidden />} disabled={!conversation} onClick={() => save("md")}>
          {t("chat.exportMarkdown")}
        </Menu.Item>
        <Menu.Item
          leftSection={<FileJson size={14} aria-hidden />}
          disabled={!conversation}
          onClick={() => save("json")}
        >
          {t("chat.exportJson")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
