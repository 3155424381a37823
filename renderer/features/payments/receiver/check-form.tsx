import { message } from "../../../../server/contract/messages/message.ts";
import { Button, MultiSelect, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ownNotifyUrl } from "../../../../server/contract/provider/checks/own-receiver-check.ts";
import {
  receiverCheckInputSchema,
  type ReceiverCheckRequest,
} from "../../../../server/contract/provider/checks/receiver-checks.ts";
import {
  isOfReceiver,
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

/** As in the guide. */
const exampleDescription = `backend: http://127.0.0.1:8080
place: { POST: /orders, body: { amount: "{amount}" }, number: number }
look_up: { GET: "/orders/{number}", settled: status=PAID }
refund: { POST: "/orders/{number}/refunds", body: { amount: "{amount}" } }`;

/** Hearth's own receiver, another one, or a whole backend by its description. */
const kinds = ["own", "other", "backend"] as const;
type Kind = (typeof kinds)[number];

interface OtherReceiver {
  readonly url: string;
  readonly refundUrl: string;
  readonly productUrl: string;
  readonly from: "simulator" | "open";
  readonly placing: Placing;
}
const emptyReceiver: OtherReceiver = { url: "", refundUrl: "", productUrl: "", from: "simulator", placing: "v2 MD5" };

const requestOf = ({ url, refundUrl, productUrl, from, placing }: OtherReceiver): ReceiverCheckRequest => ({
  notify_url: url,
  ...(refundUrl !== "" && { refund_notify_url: refundUrl }),
  ...(productUrl !== "" && { product_notify_url: productUrl }),
  orders: from === "open" ? { from } : { from, ...placings[placing] },
});

/** The form for a check. */
export function CheckForm({ isBusy, onStart }: { isBusy: boolean; onStart: (target: CheckTarget) => void }) {
  const { t } = useTranslation();
  const say = useWireTexts();
  const app = useOverview().data?.addresses.app;
  const [kind, setKind] = useState<Kind>("own");
  const [receiver, setReceiver] = useState(emptyReceiver);
  const [description, setDescription] = useState("");
  const [rows, setRows] = useState<ReceiverCheckRow[]>([]);
  const [problem, setProblem] = useState<string>();

  const read = async () => {
    if (kind === "backend") return (await import("./read-description.ts")).readTypedDescription(description);
    const request = requestOf(receiver);
    const [issue] = receiverCheckInputSchema.safeParse(request, describable).error?.issues ?? [];
    const found = issue && { field: issue.path.join("."), problem: describeIssue(issue) };
    return found ? { problem: message(...sentenceOf(found, "body")) } : { request };
  };
  const start = async () => {
    const only = rows.length > 0 ? rows : undefined;
    if (kind === "own") return onStart({ kind, only });
    const asked = await read();
    setProblem("problem" in asked ? say(asked.problem) : undefined);
    if ("request" in asked) onStart({ kind: "other", request: { ...asked.request, ...(only && { only }) } });
  };
  return (
    <form
      className={classes.form}
      aria-label={t("payments.check.title")}
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <h2>{t("payments.check.title")}</h2>
      <p className={classes.text}>{t("payments.check.hint")}</p>
      <Segmented
        label={t("payments.check.target")}
        value={kind}
        choices={kinds.map((value) => ({ value, label: t(`payments.check.targets.${value}`) }))}
        onChange={setKind}
      />
      {kind === "own" && <p className={classes.wire}>{app === undefined ? "" : ownNotifyUrl(app)}</p>}
      {kind === "backend" && <DescriptionField value={description} onChange={setDescription} />}
      {kind === "other" && <ReceiverFields value={receiver} onChange={setReceiver} />}
      <RowsField ofBackend={kind === "backend"} rows={rows} onChange={setRows} />
      {problem !== undefined && <Notice kind="error">{problem}</Notice>}
      <div>
        <Button type="submit" variant="filled" disabled={isBusy} leftSection={<Play size={13} aria-hidden />}>
          {t("payments.check.start")}
        </Button>
      </div>
    </form>
  );
}

function DescriptionField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  return (
    <Textarea
      label={t("payments.check.description")}
      description={t("payments.check.descriptionHint")}
      required
      autosize
      minRows={8}
      maxRows={24}
      spellCheck={false}
      classNames={{ input: classes.description ?? "" }}
      placeholder={exampleDescription}
      value={value}
      onChange={(change) => onChange(change.currentTarget.value)}
    />
  );
}

function ReceiverFields({ value, onChange }: { value: OtherReceiver; onChange: (value: OtherReceiver) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label="notify_url"
        required
        type="url"
        placeholder="http://127.0.0.1:8080/wechat/notify"
        value={value.url}
        onChange={(change) => onChange({ ...value, url: change.currentTarget.value })}
      />
      <UrlField
        name="refund_notify_url"
        hint={t("payments.check.refundUrl")}
        value={value.refundUrl}
        onChange={(refundUrl) => onChange({ ...value, refundUrl })}
      />
      <UrlField
        name="product_notify_url"
        hint={t("payments.check.productUrl")}
        value={value.productUrl}
        onChange={(productUrl) => onChange({ ...value, productUrl })}
      />
      <NativeSelect
        label={t("payments.check.orders")}
        value={value.from}
        onChange={(change) =>
          onChange({ ...value, from: change.currentTarget.value === "open" ? "open" : "simulator" })
        }
        data={(["simulator", "open"] as const).map((from) => ({
          value: from,
          label: t(`payments.check.from.${from}`),
        }))}
      />
      {value.from === "simulator" && (
        <NativeSelect
          label={t("payments.check.version")}
          value={value.placing}
          onChange={(change) => onChange({ ...value, placing: change.currentTarget.value as Placing })}
          data={Object.keys(placings)}
        />
      )}
    </>
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
function RowsField(props: {
  ofBackend: boolean;
  rows: ReceiverCheckRow[];
  onChange: (rows: ReceiverCheckRow[]) => void;
}) {
  const { t } = useTranslation();
  const say = useWireTexts();
  const options = receiverCheckRow.options.filter((row) => props.ofBackend || isOfReceiver(row));
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
