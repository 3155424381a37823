import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useChangeDesktop } from "../../api/desktop/use-desktop.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { FolderScreen } from "./folder-screen.tsx";
import { ModelScreen } from "./model-screen.tsx";
import { WhereScreen } from "./where-screen.tsx";
import classes from "./first-run.module.css";

const screens = ["where", "folder", "model"] as const;

/** The introduction of a new data directory. Ended or skipped, it does not come again. */
export function FirstRun() {
  const { loadTexts } = useRouter().options.context;
  const texts = useQuery({
    queryKey: ["texts", "first-run"],
    queryFn: async () => {
      await loadTexts("first-run");
      return true;
    },
  });
  return texts.data === true && <Screens />;
}

function Screens() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const change = useChangeDesktop();
  const onError = useShowFailure();
  const [step, setStep] = useState(0);
  const [watched, setWatched] = useState<string>();
  const screen = screens[step] ?? "where";
  const isLast = step === screens.length - 1;
  const end = () => change.mutate({ isFirstRun: false }, { onError });
  const pull = (model: string) => {
    end();
    void navigate({ to: "/models", search: { view: "pull", model } });
  };
  return (
    <Dialog opened onClose={end} title={t("firstRun.title")} size="lg">
      <section className={classes.screen} aria-labelledby="first-run-title">
        <p className={classes.step}>{t("firstRun.step", { step: step + 1, of: screens.length })}</p>
        <h3 id="first-run-title">{t(`firstRun.${screen}.title`)}</h3>
        {screen === "where" && <WhereScreen />}
        {screen === "folder" && <FolderScreen watched={watched} onWatched={setWatched} />}
        {screen === "model" && <ModelScreen onPull={pull} />}
      </section>
      <div className={classes.buttons}>
        {!isLast && <Button onClick={end}>{t("firstRun.skip")}</Button>}
        <span className={classes.space} />
        {step > 0 && <Button onClick={() => setStep(step - 1)}>{t("firstRun.back")}</Button>}
        <Button variant="filled" data-autofocus onClick={() => (isLast ? end() : setStep(step + 1))}>
          {t(isLast ? "firstRun.done" : "firstRun.next")}
        </Button>
      </div>
    </Dialog>
  );
}
