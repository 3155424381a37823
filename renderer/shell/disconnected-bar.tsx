import { Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "./shell.module.css";

/** Over the foot of the page while the server is away: what is shown then is only what was known last. */
export function DisconnectedBar() {
  const { t } = useTranslation();
  return (
    <div className={classes.disconnected}>
      <Unplug size={14} aria-hidden />
      {t("top.reconnectingHint")}
    </div>
  );
}
