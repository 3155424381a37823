import { useTranslation } from "react-i18next";
import { Fields } from "../../../ui/forms/fields.tsx";
import { usePushReceiver } from "./use-products.ts";
import classes from "./products.module.css";

const shownEnd = 4;
/** A secret with only its end. */
const masked = (secret: string) => `••••${secret.slice(-shownEnd)}`;

/** The receiver of message push, as set with the platform. */
export function PushReceiver() {
  const { t } = useTranslation();
  const { data: receiver } = usePushReceiver();
  if (!receiver) return null;
  return (
    <section className={classes.receiver} aria-label={t("payments.products.receiver")}>
      <Fields
        items={[
          { name: "URL", value: receiver.url, wire: true },
          { name: t("payments.products.pushMode"), value: `${receiver.mode}, ${receiver.format}`, wire: true },
          { name: "Token", value: masked(receiver.token), wire: true },
          { name: "EncodingAESKey", value: masked(receiver.encoding_aes_key), wire: true },
        ]}
      />
    </section>
  );
}
