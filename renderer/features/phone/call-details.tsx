import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Fields } from "../../ui/forms/fields.tsx";
import { JsonView } from "../../ui/code/json-view.tsx";
import { ShortId } from "../../ui/marks/short-id.tsx";
import type { PhoneCall } from "./phone-state.ts";
import classes from "./call-details.module.css";

/** The client's reading of the answer, both bodies without secrets, and a link to the recorded request. */
export function CallDetails({ call }: { call: PhoneCall }) {
  const { t } = useTranslation();
  const { authenticate, next, requestId, recorded, behind = [], sent, received, method, path, failure } = call;
  return (
    <div className={classes.details}>
      <Fields
        items={[
          { name: t("phone.request"), value: `${method} ${path}`, wire: true },
          ...(failure === undefined ? [] : [{ name: t("phone.noAnswer"), value: failure, wire: true }]),
          ...(authenticate
            ? [{ name: t("phone.handed"), value: `${authenticate.name}: ${authenticate.value}`, wire: true }]
            : []),
          ...(next === undefined ? [] : [{ name: t("phone.nextStep"), value: t(`phone.does.${next}`) }]),
          ...(requestId === undefined
            ? []
            : [{ name: "X-Request-Id", value: <ShortId value={requestId} name="X-Request-Id" /> }]),
        ]}
      />
      {sent !== undefined && (
        <div>
          <h3>{t("phone.sent")}</h3>
          <JsonView value={sent} />
        </div>
      )}
      {received !== undefined && (
        <div>
          <h3>{t("phone.received")}</h3>
          <JsonView value={received} />
        </div>
      )}
      {recorded !== undefined && (
        <p className={classes.links}>
          <Link to="/requests" search={{ request: String(recorded) }}>
            {t("phone.toRequest")}
          </Link>
          {behind.map(({ id, path }) => (
            <Link key={id} to="/requests" search={{ request: String(id) }}>
              {path}
            </Link>
          ))}
        </p>
      )}
    </div>
  );
}
