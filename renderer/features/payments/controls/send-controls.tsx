import { Button, NativeSelect } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { createSimFault } from "../../../../server/contract/provider/sim-faults.ts";
import { notifyOfSimOrder, sendAboutSimOrder } from "../../../../server/contract/provider/sim-operations.ts";
import type { SimSending } from "../../../../server/contract/provider/sim-notification-faults.ts";
import { useApi } from "../../../api/use-api.ts";
import { useWireTexts } from "../../../i18n/wire-texts.ts";
import { SchemaForm } from "../../../ui/forms/schema-form.tsx";
import { presentValues, type FieldValues } from "../../../ui/forms/schema-fields.ts";
import { ControlGroup } from "./control-group.tsx";
import { ActionControl } from "./control.tsx";
import { arrangements, quickSendings, sendingFields, sendingKinds, type SendingKind } from "./sendings.ts";
import type { ActionsLog } from "./use-actions-log.ts";
import type { SimOrderDetail } from "../order/use-order.ts";
import classes from "./controls.module.css";

const quick = Object.keys(quickSendings) as (keyof typeof quickSendings)[];
const arranged = Object.keys(arrangements) as (keyof typeof arrangements)[];

/** Sends notifications of the order: right, forged, broken, repeated, late, or lost ones. */
export function SendControls({ detail: { order }, log }: { detail: SimOrderDetail; log: ActionsLog }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const named = { params: { out_trade_no: order.out_trade_no }, query: { mch_id: order.mch_id } };
  const send = (label: string, body: unknown) =>
    void log.run(label, async () => ({
      kind: "deliveries",
      ...(await call(sendAboutSimOrder, { ...named, body: body as SimSending })),
    }));
  const arrange = (label: string, one: keyof typeof arrangements) =>
    void log.run(label, async () => {
      const scope = { mch_id: order.mch_id, out_trade_no: order.out_trade_no };
      const { id } = await call(createSimFault, { body: { ...arrangements[one], scope, times: 1 } });
      return { kind: "text", text: t("payments.arranged", { id }) };
    });
  return (
    <>
      <ControlGroup title={t("payments.send")} hint={t("payments.sendHint")}>
        <ActionControl
          label={t("payments.sending.again")}
          log={log}
          onRun={() =>
            void log.run(t("payments.sending.again"), async () => ({
              kind: "deliveries",
              ...(await call(notifyOfSimOrder, named)),
            }))
          }
        />
        {quick.map((one) => (
          <ActionControl
            key={one}
            label={t(`payments.sending.${one}`)}
            log={log}
            onRun={() => send(t(`payments.sending.${one}`), quickSendings[one])}
          />
        ))}
        <OtherSending log={log} onSend={send} />
      </ControlGroup>
      <ControlGroup title={t("payments.arrange")} hint={t("payments.arrangeHint")}>
        {arranged.map((one) => (
          <ActionControl
            key={one}
            label={t(`payments.arrangement.${one}`)}
            log={log}
            onRun={() => arrange(t(`payments.arrangement.${one}`), one)}
          />
        ))}
        <Button component={Link} to="/faults" variant="subtle" color="gray">
          {t("payments.allFaults")}
        </Button>
      </ControlGroup>
    </>
  );
}

/** A form for any kind, with all parameters. */
function OtherSending({ log, onSend }: { log: ActionsLog; onSend: (label: string, body: unknown) => void }) {
  const { t } = useTranslation();
  const say = useWireTexts();
  const [kind, setKind] = useState<SendingKind>();
  const [values, setValues] = useState<FieldValues>({});
  const fields = useMemo(() => (kind === undefined ? [] : sendingFields(kind)), [kind]);
  const choose = (next: string) => {
    setKind(sendingKinds.find((one) => one === next));
    setValues({});
  };
  return (
    <div className={classes.other}>
      <NativeSelect
        aria-label={t("payments.otherSending")}
        value={kind ?? ""}
        onChange={(change) => choose(change.currentTarget.value)}
        data={[{ value: "", label: t("payments.otherSending") }, ...sendingKinds]}
      />
      {kind !== undefined && (
        <>
          <SchemaForm fields={fields} values={values} onChange={setValues} say={say} />
          <div>
            <ActionControl
              label={t("payments.sendThis", { kind })}
              log={log}
              onRun={() => onSend(t("payments.sendThis", { kind }), { kind, params: presentValues(fields, values) })}
            />
          </div>
        </>
      )}
    </div>
  );
}
