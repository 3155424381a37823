import { message } from "../../../../server/contract/messages/message.ts";
import { Button, MultiSelect, NativeSelect, TextInput } from "@mantine/core";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ownNotifyUrl } from "../../../../server/contract/provider/checks/own-receiver-check.ts";
import {
  receiverCheckInputSchema,
  type ReceiverCheckRequest,
} from "../../../../server/contract/provider/checks/receiver-checks.ts";
import {
  receiverCheckRow,
  rowText,
  type ReceiverCheckRow,
} from "../../../../server/contract/provider/checks/receiver-check-rows.ts";
import { describable, describeIssue, sentenceOf } from "../../../../server/http/messages/describe-issue.ts";
import { useOverview } from "../../../api/queries/use-overview.ts";
import { useWireTexts } from "../../../i18n/wire-texts.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import type { CheckTarget } from "./use-receiver-check.ts";
import classes from "./receiver.module.css";

/** How the simulator places its own orders: version and, for version 2, signature type. */
const placings = {
  "v2 MD5": { version: "v2", sign_type: "MD5" },
  "v2 HMAC-SHA256": { version: "v2", sign_type: "HMAC-SHA256" },
  v3: { version: "v3" },
} as const;
type Placing = keyof typeof placings;

/** The form for a check. */
export function CheckForm({ isBusy, onStart }: { isBusy: boolean; onStart: (target: CheckTarget) => void }) {
  const { t } = useTranslation();
  const say = useWireTexts();
  const app = useOverview().data?.addresses.app;
  const [kind, setKind] = useState<CheckTarget["kind"]>("own");
  const [url, setUrl] = useState("");
  const [refundUrl, setRefundUrl] = useState("");
  const [productUrl, setProductUrl] = useState("");
  const [from, setFrom] = useState<"simulator" | "open">("simulator");
  const [placing, setPlacing] = useState<Placing>("v2 MD5");
  const [rows, setRows] = useState<ReceiverCheckRow[]>([]);
  const [problem, setProblem] = useState<string>();

  const start = () => {
    const only = rows.length > 0 ? rows : undefined;
    if (kind === "own") return onStart({ kind, only });
    const request: ReceiverCheckRequest = {
      notify_url: url,
      ...(refundUrl !== "" && { refund_notify_url: refundUrl }),
      ...(productUrl !== "" && { product_notify_url: productUrl }),
      orders: from === "open" ? { from } : { from, ...placings[placing] },
      ...(only && { only }),
    };
    const checked = receiverCheckInputSchema.safeParse(request, describable);
    const [issue] = checked.error?.issues ?? [];
    const found = issue && { field: issue.path.join("."), problem: describeIssue(issue) };
    setProblem(found && say(message(...sentenceOf(found, "body"))));
    if (checked.success) onStart({ kind, request });
  };
  return (
    <form
      className={classes.form}
      aria-label={t("payments.check.title")}
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <h2>{t("payments.check.title")}</h2>
      <p className={classes.text}>{t("payments.check.hint")}</p>
      <Segmented
        label={t("payments.check.target")}
        value={kind}
        choices={(["own", "other"] as const).map((value) => ({ value, label: t(`payments.check.targets.${value}`) }))}
        onChange={setKind}
      />
      {kind === "own" ? (
        <p className={classes.wire}>{app === undefined ? "" : ownNotifyUrl(app)}</p>
      ) : (
        <>
          <TextInput
            label="notify_url"
            required
            type="url"
            placeholder="http://127.0.0.1:8080/wechat/notify"
            value={url}
            onChange={(change) => setUrl(change.currentTarget.value)}
          />
          <UrlField
            name="refund_notify_url"
            hint={t("payments.check.refundUrl")}
            value={refundUrl}
            onChange={setRefundUrl}
          />
          <UrlField
            name="product_notify_url"
            hint={t("payments.check.productUrl")}
            value={productUrl}
            onChange={setProductUrl}
          />
          <NativeSelect
            label={t("payments.check.orders")}
            value={from}
            onChange={(change) => setFrom(change.currentTarget.value === "open" ? "open" : "simulator")}
            data={(["simulator", "open"] as const).map((value) => ({
              value,
              label: t(`payments.check.from.${value}`),
            }))}
          />
          {from === "simulator" && (
            <NativeSelect
              label={t("payments.check.version")}
              value={placing}
              onChange={(change) => setPlacing(change.currentTarget.value as Placing)}
              data={Object.keys(placings)}
            />
          )}
        </>
      )}
      <RowsField rows={rows} onChange={setRows} />
      {problem !== undefined && <Notice kind="error">{problem}</Notice>}
      <div>
        <Button type="submit" variant="filled" disabled={isBusy} leftSection={<Play size={13} aria-hidden />}>
          {t("payments.check.start")}
        </Button>
      </div>
    </form>
  );
}

function UrlField(props: { name: string; hint: string; value: string; onChange: (value: string) => void }) {
  const { name, hint, value, onChange } = props;
  return (
    <TextInput
      label={name}
      description={hint}
      type="url"
      value={value}
      onChange={(change) => onChange(change.currentTarget.value)}
    />
  );
}

/** Limits the check to some rows; without a choice, all run. */
function RowsField(props: { rows: ReceiverCheckRow[]; onChange: (rows: ReceiverCheckRow[]) => void }) {
  const { t } = useTranslation();
  const say = useWireTexts();
  const { options } = receiverCheckRow;
  return (
    <MultiSelect
      size="xs"
      label={t("payments.check.rows")}
      placeholder={props.rows.length === 0 ? t("payments.check.allRows", { count: options.length }) : ""}
      searchable
      clearable
      value={props.rows}
      onChange={(chosen) => props.onChange(options.filter((row) => chosen.includes(row)))}
      data={options.map((row) => ({ value: row, label: say(rowText(row).name) }))}
    />
  );
}
