import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import type { PaymentChoice, Sheet } from "../phone-state.ts";
import classes from "./phone-sheet.module.css";

const failures: readonly PaymentChoice[] = ["wrong_password", "no_funds", "slow"];

/** The platform's prompt over the app. */
export function PhoneSheet({ sheet }: { sheet: Sheet }) {
  return (
    <div className={classes.veil}>
      {sheet.about === "payment" ? <PaymentSheet sheet={sheet} /> : <PermissionSheet sheet={sheet} />}
    </div>
  );
}

function PermissionSheet({ sheet }: { sheet: Exclude<Sheet, { about: "payment" }> }) {
  const { t } = useTranslation();
  const { about, person, answer } = sheet;
  const visible = {
    userInfo: person.nick_name,
    phoneNumber: `+${person.country_code} ${person.phone_number}`,
    location: `${person.latitude.toFixed(4)}, ${person.longitude.toFixed(4)}`,
  };
  return (
    <div className={classes.sheet} role="dialog" aria-label={t(`phone.asks.${about}`)}>
      <h2>{t(`phone.asks.${about}`)}</h2>
      <p className={classes.given}>{visible[about]}</p>
      <div className={classes.answers}>
        <Button onClick={() => answer(false)}>{t("phone.deny")}</Button>
        <Button variant="filled" autoFocus onClick={() => answer(true)}>
          {t("phone.allow")}
        </Button>
      </div>
    </div>
  );
}

function PaymentSheet({ sheet }: { sheet: Extract<Sheet, { about: "payment" }> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { amount, description, answer } = sheet;
  return (
    <div className={classes.sheet} role="dialog" aria-label={t("phone.asks.payment")}>
      <h2>{t("phone.asks.payment")}</h2>
      <p className={classes.amount}>{formats.money(amount)}</p>
      <p className={classes.given}>{description}</p>
      <div className={classes.answers}>
        <Button onClick={() => answer("cancel")}>{t("phone.outcome.cancel")}</Button>
        <Button variant="filled" autoFocus onClick={() => answer("pay")}>
          {t("phone.outcome.pay")}
        </Button>
      </div>
      <div className={classes.otherAnswers}>
        {failures.map((outcome) => (
          <Button key={outcome} size="compact-xs" variant="subtle" color="gray" onClick={() => answer(outcome)}>
            {t(`phone.outcome.${outcome}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}
