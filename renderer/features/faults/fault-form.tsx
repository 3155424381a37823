import type { Text } from "../../../server/contract/messages/message.ts";
import { Button, NativeSelect } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useUnsaved } from "../../api/address/use-unsaved.ts";
import { useWireTexts } from "../../i18n/wire-texts.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { SchemaForm } from "../../ui/forms/schema-form.tsx";
import {
  faultFormOf,
  readForm,
  routeKind,
  situations,
  type FormErrors,
  type FormPart,
  type FormValues,
} from "./fault-kinds.ts";
import type { NewFault } from "./fault-calls.ts";
import classes from "./faults.module.css";

/** The form for a new fault, by the schema of its kind. */
export function FaultForm(props: {
  kind: string;
  order: string | undefined;
  isBusy: boolean;
  error: string | undefined;
  onKind: (kind: string) => void;
  onAdd: (fault: NewFault) => void;
}) {
  const { t } = useTranslation();
  const say = useWireTexts();
  const { kind, order } = props;
  const form = useMemo(() => faultFormOf(kind), [kind]);
  const [values, setValues] = useState<FormValues>(order === undefined ? {} : { scope: { out_trade_no: order } });
  const [errors, setErrors] = useState<FormErrors>({});
  const [isTouched, setTouched] = useState(false);
  useUnsaved(isTouched, ["add"]);
  const choose = (next: string) => {
    // The parameters belong to the old kind; scope and frequency stay.
    setValues((all) => ({ ...all, params: {} }));
    setErrors({});
    props.onKind(next);
  };
  const add = () => {
    if (!form) return;
    const read = readForm(kind, form, values);
    setErrors("errors" in read ? read.errors : {});
    if ("fault" in read) props.onAdd(read.fault);
  };
  return (
    <form
      className={classes.form}
      aria-label={t("faults.add")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <NativeSelect
        label={t("faults.situation")}
        description={t("faults.situationHint")}
        value={kind}
        onChange={(change) => choose(change.currentTarget.value)}
        data={[
          ...situations.map(([situation, kinds]) => ({ group: say(situation), items: [...kinds] })),
          { group: t("faults.origins.route"), items: [{ value: routeKind, label: t("faults.routeKind") }] },
        ]}
      />
      {!form && <Notice kind="error">{t("faults.noKind", { kind })}</Notice>}
      {form && <p className={classes.description}>{say(form.description ?? t("faults.routeDescription"))}</p>}
      {form?.parts.map(({ part, fields }) => (
        <section key={part} className={classes.part} aria-label={t(`faults.part.${partNames[part]}`)}>
          {kind !== routeKind && <h3>{t(`faults.part.${partNames[part]}`)}</h3>}
          <SchemaForm
            fields={fields}
            values={values[part] ?? {}}
            onChange={(next) => {
              setTouched(true);
              setValues((all) => ({ ...all, [part]: next }));
            }}
            errors={errorsOfPart(errors, part, say)}
            say={say}
          />
        </section>
      ))}
      {unplaced(errors, form)
        .map(say)
        .map((text) => (
          <Notice key={text} kind="error">
            {text}
          </Notice>
        ))}
      {props.error !== undefined && <Notice kind="error">{props.error}</Notice>}
      <div>
        <Button type="submit" variant="filled" loading={props.isBusy} disabled={!form}>
          {t("faults.add")}
        </Button>
      </div>
    </form>
  );
}

const partNames = { params: "params", scope: "scope", "": "common" } as const;

const errorsOfPart = (errors: FormErrors, part: FormPart, say: (text: Text) => string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors)
      .filter(([key]) => key.startsWith(`${part}.`))
      .map(([key, text]) => [key.slice(part.length + 1), say(text)]),
  );

/** An error of no field in particular. */
function unplaced(errors: FormErrors, form: ReturnType<typeof faultFormOf>): Text[] {
  const known = new Set(form?.parts.flatMap(({ part, fields }) => fields.map(({ name }) => `${part}.${name}`)));
  return Object.entries(errors).flatMap(([key, text]) => (known.has(key) ? [] : [text]));
}
