import { Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "../shell.module.css";

/** Covers the foot of the page while the server is unreachable: the page then shows the last known state. */
export function DisconnectedBar() {
  const { t } = useTranslation();
  return (
    <div className={classes.disconnected}>
      <Unplug size={14} aria-hidden />
      {t("top.reconnectingHint")}
    </div>
  );
}
