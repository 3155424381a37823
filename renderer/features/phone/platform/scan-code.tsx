import { Button, TextInput } from "@mantine/core";
import { QrCode as CodeIcon, ScanLine } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { simLaunch, type SimLaunch } from "../../../../server/contract/provider/sim-mini-program.ts";
import { useApi } from "../../../api/use-api.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { FileChoice } from "../../../ui/forms/file-choice.tsx";
import { AppFailure } from "../app/app-failure.tsx";
import { useTask } from "../app/use-task.ts";
import { readCode } from "./read-code.ts";
import classes from "./platform.module.css";

/** Opens the mini-program by the picture of a code or by a link, and shows the start parameters that it gets. */
export function ScanCode({ user }: { user: string }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const [opened, setOpened] = useState(false);
  const [link, setLink] = useState("");
  const [launch, setLaunch] = useState<SimLaunch>();
  const task = useTask();
  const openLink = (read: () => Promise<string | undefined>) =>
    task.run(async () => {
      setLaunch(undefined);
      const link = await read();
      if (link === undefined) throw new Error(t("phone.noCode"));
      setLaunch(await call(simLaunch, { params: { name: user }, body: { link } }));
    });
  return (
    <>
      <Button leftSection={<ScanLine size={13} aria-hidden />} onClick={() => setOpened(true)}>
        {t("phone.scan")}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={t("phone.scan")}>
        <p className={classes.hint}>{t("phone.scanHint")}</p>
        <FileChoice accept="image/png,image/jpeg,image/webp" onFile={(file) => void openLink(() => readCode(file))}>
          {(button) => (
            <Button {...button} disabled={task.busy} leftSection={<CodeIcon size={13} aria-hidden />}>
              {t("phone.scanPicture")}
            </Button>
          )}
        </FileChoice>
        <form
          className={classes.link}
          onSubmit={(event) => {
            event.preventDefault();
            void openLink(() => Promise.resolve(link.trim()));
          }}
        >
          <TextInput
            className={classes.address}
            label={t("phone.scanLink")}
            placeholder="weixin://dl/business/?t=…"
            value={link}
            onChange={(change) => setLink(change.currentTarget.value)}
          />
          <Button type="submit" disabled={task.busy || link.trim() === ""}>
            {t("phone.openIt")}
          </Button>
        </form>
        {task.failure && <AppFailure failure={task.failure} />}
        {launch && <LaunchView launch={launch} />}
      </Dialog>
    </>
  );
}

function LaunchView({ launch }: { launch: SimLaunch }) {
  const { t } = useTranslation();
  const { path, query, scene, env_version } = launch;
  return (
    <section aria-label={t("phone.launch")} className={classes.launch}>
      <h3>{t("phone.launch")}</h3>
      <pre>{JSON.stringify({ path, query, scene, env_version }, null, 2)}</pre>
    </section>
  );
}
