import { Button } from "@mantine/core";
import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SettingView } from "../../../server/contract/console/setting-endpoints.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { useRestartForSettings } from "./use-settings.ts";
import classes from "./settings.module.css";

/** Lists saved settings that are not in effect yet, with a button if a restart of services is enough, otherwise with a hint. */
export function PendingNotice({ settings }: { settings: readonly SettingView[] }) {
  const { t } = useTranslation();
  const restart = useRestartForSettings();
  const showFailure = useShowFailure();
  const waits = (effect: SettingView["takes_effect"]) =>
    settings.some(({ pending, takes_effect }) => pending && takes_effect === effect);
  return (
    <>
      {waits("after_restart") && (
        <Notice kind="info">
          <div className={classes.restart}>
            <span>{t("settings.restartHint")}</span>
            <Button
              variant="filled"
              leftSection={<RotateCw size={13} aria-hidden />}
              loading={restart.isPending}
              onClick={() => restart.mutate(undefined, { onError: showFailure })}
            >
              {t("settings.restartNow")}
            </Button>
          </div>
        </Notice>
      )}
      {waits("at_next_start") && <Notice kind="info">{t("settings.nextStart")}</Notice>}
    </>
  );
}
