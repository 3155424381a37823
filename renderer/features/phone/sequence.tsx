import { Check, Pointer, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SimulatedPhone } from "./phone.ts";
import type { PhoneQuestion, TapMark } from "./phone-state.ts";
import { SequenceCall } from "./sequence-call.tsx";
import { usePhoneState } from "./use-phones.ts";
import classes from "./sequence.module.css";

/** The phone's calls in order, between the three participants. */
export function PhoneSequence({ phone }: { phone: SimulatedPhone }) {
  const { t } = useTranslation();
  const { entries } = usePhoneState(phone);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // At every change: the answer to the last call comes after the call, and is what one waits for. Scrolls only the
    // list's own frame, so that on a narrow screen the phone above stays visible.
    const frame = list.current?.parentElement;
    frame?.scrollTo({ top: frame.scrollHeight });
  }, [entries]);
  return (
    <section className={classes.sequence} aria-label={t("phone.diagram")}>
      <header className={classes.head}>
        <div className={classes.lanes}>
          <span>{t("phone.lane.phone")}</span>
          <span>{t("phone.lane.app")}</span>
          <span>{t("phone.lane.provider")}</span>
        </div>
      </header>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t("phone.steps")}>
        {entries.length === 0 && <p className={classes.empty}>{t("phone.noSteps")}</p>}
        <ol className={classes.steps} ref={list}>
          {entries.map((entry) => (
            <li key={entry.id}>
              {entry.kind === "call" ? (
                <SequenceCall call={entry} />
              ) : entry.kind === "tap" ? (
                <Tapped mark={entry} />
              ) : (
                <Asked question={entry} />
              )}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Tapped({ mark }: { mark: TapMark }) {
  const { t } = useTranslation();
  return (
    <p className={classes.tap}>
      <Pointer size={12} aria-hidden />
      {t(`phone.tap.${mark.what}`)}
    </p>
  );
}

function Asked({ question: { about, answer } }: { question: PhoneQuestion }) {
  const { t } = useTranslation();
  const allowed = answer === "allowed" || answer === "pay" || answer === "slow";
  const word = answer === "allowed" || answer === "denied" || answer === undefined ? (answer ?? "waiting") : answer;
  const Icon = allowed ? Check : X;
  return (
    <p className={classes.asked}>
      {t(`phone.asks.${about}`)}
      <span className={classes.answer} data-answer={answer === undefined ? "none" : allowed ? "yes" : "no"}>
        {answer !== undefined && <Icon size={12} aria-hidden />}
        {t(`phone.given.${word}`)}
      </span>
    </p>
  );
}
