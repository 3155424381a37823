import { Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./app.module.css";

export function AppWaiting() {
  const { t } = useTranslation();
  return (
    <p className={classes.waiting} role="status">
      <Loader size={14} aria-hidden />
      {t("phone.loading")}
    </p>
  );
}
