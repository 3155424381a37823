import { Button } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Link, linkOptions } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFirstSteps, type FirstStep } from "./use-first-steps.ts";
import classes from "./first-steps.module.css";

const links = {
  login: linkOptions({ to: "/phone" }),
  upload: linkOptions({ to: "/uploads" }),
  file: linkOptions({ to: "/file-events" }),
  order: linkOptions({ to: "/payments" }),
  chat: linkOptions({ to: "/chat" }),
} satisfies Record<FirstStep, unknown>;

/** The first steps of a new user with each service. A step is ticked when its result has been seen. */
export function FirstSteps() {
  const { t } = useTranslation();
  const steps = useFirstSteps();
  const [hidden, setHidden] = useLocalStorage({
    key: "hearth.first-steps-hidden",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const done = steps.filter((step) => step.done).length;
  const isComplete = done === steps.length;
  if (hidden && isComplete) return null;
  return (
    <section className={classes.card} aria-labelledby="overview-steps">
      <header className={classes.head}>
        <h2 id="overview-steps">{t("overview.steps.title")}</h2>
        {isComplete && (
          <Button size="compact-xs" className={classes.hide ?? ""} onClick={() => setHidden(true)}>
            {t("overview.steps.hide")}
          </Button>
        )}
        <span>{t("overview.steps.done", { done, count: steps.length })}</span>
      </header>
      <ol className={classes.steps}>
        {steps.map(({ step, done }) => (
          <li key={step} data-done={done}>
            <span
              className={classes.tick}
              role="img"
              aria-label={t(done ? "overview.steps.isDone" : "overview.steps.isOpen")}
            >
              {done && <Check size={11} strokeWidth={3} aria-hidden />}
            </span>
            <span className={classes.text}>
              <Link {...links[step]}>{t(`overview.steps.${step}.title`)}</Link>
              <span>{t(`overview.steps.${step}.hint`)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
