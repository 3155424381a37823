import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Fields } from "../../../ui/forms/fields.tsx";
import { PushReceiverForm } from "./push-receiver-form.tsx";
import { usePushReceiver } from "./use-push-receiver.ts";
import classes from "./products.module.css";

/** The receiver of message push, and the button that sets it. */
export function PushReceiver() {
  const { t } = useTranslation();
  const { data: receiver } = usePushReceiver();
  const [isOpen, setIsOpen] = useState(false);
  if (receiver === undefined) return null;
  const close = () => setIsOpen(false);
  return (
    <section className={classes.receiver} aria-label={t("payments.products.receiver")}>
      {receiver && (
        <Fields
          items={[
            { name: "URL", value: receiver.url, wire: true },
            { name: t("payments.products.push.mode"), value: t(`payments.products.push.modes.${receiver.mode}`) },
            { name: t("payments.products.push.format"), value: receiver.format, wire: true },
          ]}
        />
      )}
      <Button size="xs" onClick={() => setIsOpen(true)}>
        {t(receiver ? "payments.products.push.edit" : "payments.products.push.set")}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={t("payments.products.receiver")}>
        <PushReceiverForm receiver={receiver} onDone={close} />
      </Dialog>
    </section>
  );
}
