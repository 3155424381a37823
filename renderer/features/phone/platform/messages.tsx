import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { MessageSquare } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { listSimMessages } from "../../../../server/contract/provider/sim-mini-program.ts";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import classes from "./platform.module.css";

/** The subscription messages that the app's server sent to the person. */
export function Messages({ user }: { user: string }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button leftSection={<MessageSquare size={13} aria-hidden />} onClick={() => setOpened(true)}>
        {t("phone.messages")}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={t("phone.messagesOf", { user })} pageKeys>
        <MessageList user={user} />
      </Dialog>
    </>
  );
}

function MessageList({ user }: { user: string }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const formats = useFormats();
  const { data: messages } = useQuery({
    queryKey: ["phone", user, "messages"],
    staleTime: 0,
    refetchInterval: 2_000,
    queryFn: () => call(listSimMessages, { params: { name: user } }),
  });
  if (messages?.length === 0) return <p className={classes.hint}>{t("phone.noMessages")}</p>;
  return (
    <ul className={classes.messages}>
      {messages?.map(({ id, title, text, page, sent_at }) => (
        <li key={id}>
          <strong>{title}</strong>
          <time dateTime={sent_at}>{formats.moment(Date.parse(sent_at))}</time>
          <p>{text}</p>
          {page !== "" && <code>{page}</code>}
        </li>
      ))}
    </ul>
  );
}
