import { Tabs } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordedRequest } from "../../../server/contract/console/traffic/requests.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { BodyView } from "../../ui/code/body-view.tsx";
import { useShortcut } from "../../ui/keyboard/shortcuts.ts";
import { StatusCode } from "../../ui/marks/status-code.tsx";
import { CompareView } from "./message/compare-view.tsx";
import { MessageView } from "./message/message-view.tsx";
import { RequestOverview } from "./request-overview.tsx";
import { RequestTools } from "./request-tools.tsx";
import type { RequestsSearch } from "./requests-search.ts";
import { ResendForm } from "./resend-form.tsx";
import classes from "./requests.module.css";

type Tab = NonNullable<RequestsSearch["tab"]>;

/** One request: its messages on the wire, and its actions. */
export function RequestInspector(props: {
  request: RecordedRequest;
  tab: Tab | undefined;
  onTab: (tab: Tab | undefined) => void;
  pinned: boolean;
  onPin: () => void;
  /** Called after it was repeated; `id` is that of the new request. */
  onSent: (id: number) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { request } = props;
  const [editing, setEditing] = useState(false);
  const sent = (id: number) => {
    setEditing(false);
    props.onSent(id);
  };
  const compare: Tab[] = request.replay_of === undefined ? [] : ["compare"];
  const tabs: Tab[] = ["overview", "request", "response", ...compare, "raw"];
  const tab = props.tab && tabs.includes(props.tab) ? props.tab : "overview";
  const show = (next: string | null) => props.onTab(next === "overview" ? undefined : (next as Tab));
  useShortcut("r", t("common.toggleRaw"), () => show(tab === "raw" ? "overview" : "raw"));
  return (
    <>
      <div className={classes.summary}>
        <StatusCode status={request.status} />
        <span>{formats.duration(request.ms)}</span>
        <span className={classes.dim}>{formats.bytes(request.response_size)}</span>
        <RequestTools
          request={request}
          pinned={props.pinned}
          onPin={props.onPin}
          editing={editing}
          onEdit={() => setEditing(!editing)}
          onSent={sent}
        />
      </div>
      {editing && <ResendForm request={request} onSent={sent} onCancel={() => setEditing(false)} />}
      <Tabs value={tab} onChange={show}>
        <Tabs.List className={classes.tabs}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`requests.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={classes.tabBody}>
          <Tabs.Panel value="overview">
            <RequestOverview request={request} />
          </Tabs.Panel>
          <Tabs.Panel value="request">
            <MessageView {...request.request} label={t("requests.requestBody")} />
          </Tabs.Panel>
          <Tabs.Panel value="response">
            <MessageView {...request.response} totalMs={request.ms} label={t("requests.responseBody")} />
          </Tabs.Panel>
          {request.replay_of !== undefined && (
            <Tabs.Panel value="compare">
              <CompareView request={request} before={request.replay_of} />
            </Tabs.Panel>
          )}
          <Tabs.Panel value="raw">
            <BodyView
              text={JSON.stringify(request, null, 2)}
              mediaType="application/json"
              label={t("requests.inspector", { id: String(request.id) })}
            />
          </Tabs.Panel>
        </div>
      </Tabs>
    </>
  );
}
