import { useTranslation } from "react-i18next";
import { useOverview } from "../../api/queries/use-overview.ts";
import type { ChatInput } from "../../../server/contract/model/model-client.ts";
import { BodyView } from "../../ui/code/body-view.tsx";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { curlOf } from "./conversations/chat-request.ts";
import classes from "./chat.module.css";

/** The request for the conversation in its current state, and the same as a command. */
export function RequestView({ request }: { request: ChatInput }) {
  const { t } = useTranslation();
  const { data } = useOverview();
  const address = data?.addresses.model;
  return (
    <div className={classes.settings}>
      <p className={classes.note}>{t("chat.requestHint")}</p>
      {address !== undefined && <CodeBlock code={curlOf(address, request)} name="curl" />}
      <BodyView text={JSON.stringify(request, null, 2)} mediaType="application/json" label={t("chat.request")} />
    </div>
  );
}
