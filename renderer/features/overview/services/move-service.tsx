import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceStatus } from "../../../../server/contract/process/services.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { useRestart } from "./use-restart.ts";
import classes from "../overview.module.css";

/** The port after Ollama's own, which is free on most machines that run one. */
const suggestedPort = 11_435;

/** Starts the model service on another port when another program uses its own. */
export function MoveService({ service }: { service: ServiceStatus }) {
  const { t } = useTranslation();
  const [port, setPort] = useState(String(suggestedPort));
  const restart = useRestart(service.name);
  return (
    <div className={classes.move}>
      <p>{service.state === "external" ? t("overview.externalText") : t("overview.portTaken")}</p>
      <form
        className={classes.moveForm}
        onSubmit={(event) => {
          event.preventDefault();
          restart.mutate(Number(port));
        }}
      >
        <label htmlFor="move-port">{t("overview.startOurs")}</label>
        <TextInput
          id="move-port"
          type="number"
          min={0}
          max={65_535}
          required
          value={port}
          onChange={(change) => setPort(change.currentTarget.value)}
          w={86}
        />
        <Button type="submit" loading={restart.isPending}>
          {t("overview.startOursButton")}
        </Button>
      </form>
      {restart.error && <Notice kind="error">{t("failure.withReason", { reason: restart.error.message })}</Notice>}
    </div>
  );
}
