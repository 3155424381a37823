import { Check, Minus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../ui/marks/badge.tsx";
import { useTicking } from "../../ui/marks/ticker.ts";
import type { SimulatedPhone } from "./phone.ts";
import { usePhoneState } from "./use-phones.ts";
import classes from "./status-strip.module.css";

/** The client's stored status package, without the token. */
export function StatusStrip({ phone }: { phone: SimulatedPhone }) {
  const { t } = useTranslation();
  const { status, statusAt } = usePhoneState(phone);
  const seconds = typeof status?.["expires_in"] === "number" ? status["expires_in"] : 0;
  const left = useTicking((now) => String(Math.max(0, Math.ceil(seconds - (now - statusAt) / 1000))));
  const flags = ["has_userinfo", "has_phone"].filter((name) => typeof status?.[name] === "boolean");
  return (
    <section className={classes.status} aria-label={t("phone.status")}>
      <h2>{t("phone.status")}</h2>
      {status === undefined ? (
        <span className={classes.dim}>{t("phone.noStatus")}</span>
      ) : (
        <dl>
          <Item name="access_token">{t("phone.kept")}</Item>
          <Item name="expires_in">{left}</Item>
          <Item name="uid">{status.uid === "" ? '""' : status.uid}</Item>
          {flags.map((name) => (
            <Item key={name} name={name}>
              <Badge tone={status[name] === true ? "up" : "neutral"} icon={status[name] === true ? Check : Minus}>
                {String(status[name])}
              </Badge>
            </Item>
          ))}
        </dl>
      )}
    </section>
  );
}

function Item({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
