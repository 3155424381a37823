import { Link } from "@tanstack/react-router";
import { Zap } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "./live-map.module.css";

/** That faults are armed here, with the way to them. */
export function ArmedMark({ count }: { count: number }) {
  const { t } = useTranslation();
  const text = t("overview.map.armed", { count });
  return (
    <Link to="/faults" className={classes.armed} title={text} aria-label={text}>
      <Zap size={11} aria-hidden fill="currentColor" />
      {count}
    </Link>
  );
}
