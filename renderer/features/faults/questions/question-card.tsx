import { Button, NativeSelect, Switch } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Traffic } from "../../../../server/contract/console/traffic/histogram.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Badge } from "../../../ui/marks/badge.tsx";
import type { FaultRow } from "../fault-row.ts";
import { HitsTimeline } from "../hits-timeline.tsx";
import { SequencePicture } from "./sequence-picture.tsx";
import type { FaultQuestion } from "./questions.ts";
import type { NewFault } from "../fault-calls.ts";
import classes from "./questions.module.css";

/** A question with its picture: arms its fault by one click, and shows where it is armed and what it hit. */
export function QuestionCard(props: {
  question: FaultQuestion;
  /** The faults that it has armed. */
  armed: readonly FaultRow[];
  traffic: Traffic | undefined;
  isBusy: boolean;
  /** `spent`: the faults that it replaces. */
  onArm: (fault: NewFault, spent: readonly FaultRow[]) => void;
  onDisarm: (rows: readonly FaultRow[]) => void;
  onOpen: (row: FaultRow) => void;
}) {
  const { t } = useTranslation();
  const { question, armed } = props;
  const [chosen, setChosen] = useState(0);
  const title = t(`faults.questions.${question.id}.title`);
  const preset = question.presets[chosen] ?? question.presets[0];
  const isArmed = armed.some(({ spent }) => !spent);
  return (
    <article className={classes.card} data-armed={isArmed} aria-label={title}>
      <SequencePicture sequence={question.sequence} />
      <div className={classes.words}>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.text}>{t(`faults.questions.${question.id}.text`)}</p>
      </div>
      {armed.map((row) => (
        <Armed
          key={row.key}
          row={row}
          traffic={props.traffic}
          isBusy={props.isBusy}
          onOpen={() => props.onOpen(row)}
          onArmAgain={() => props.onArm(row.input, [row])}
        />
      ))}
      <div className={classes.foot}>
        {question.presets.length > 1 ? (
          <NativeSelect
            aria-label={t("faults.preset", { question: title })}
            value={chosen}
            disabled={isArmed}
            data={question.presets.map(({ name }, index) => ({
              value: String(index),
              label: t(`faults.presets.${name}`),
            }))}
            onChange={(change) => setChosen(Number(change.currentTarget.value))}
          />
        ) : (
          <span className={classes.only}>{t(`faults.presets.${preset.name}`)}</span>
        )}
        <Switch
          label={t("faults.armed")}
          labelPosition="left"
          aria-label={t("faults.armedOf", { question: title })}
          checked={isArmed}
          disabled={props.isBusy}
          onChange={(change) => {
            if (change.currentTarget.checked) props.onArm(preset.fault, armed);
            else props.onDisarm(armed);
          }}
        />
      </div>
    </article>
  );
}

function Armed(props: {
  row: FaultRow;
  traffic: Traffic | undefined;
  isBusy: boolean;
  onOpen: () => void;
  onArmAgain: () => void;
}) {
  const { row, traffic, onOpen } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const { hits, times, spent, input } = row;
  const scope =
    input.side === "route"
      ? [input.body.method, input.body.path].filter((one) => one !== undefined).join(" ")
      : row.scope || t("faults.everything");
  const count =
    times === undefined ? t("faults.hitCount", { count: hits }) : t("faults.hitsOf", { hits, count: times });
  const newest = row.recentHits.at(-1);
  return (
    <div className={classes.armed}>
      <div className={classes.state}>
        <Button variant="transparent" className={classes.where} onClick={onOpen} title={row.what}>
          {t("faults.armedFor", { scope })}
        </Button>
        <Badge tone={hits > 0 ? "down" : "neutral"}>{count}</Badge>
      </div>
      {traffic && <HitsTimeline traffic={traffic} hits={row.recentHits} />}
      <span className={classes.when}>
        {spent
          ? t("faults.used", { count: hits })
          : newest === undefined
            ? t("faults.noHit")
            : t("faults.lastHit", { when: formats.exact(newest) })}
      </span>
      {spent && (
        <Button variant="default" disabled={props.isBusy} onClick={props.onArmAgain}>
          {t("faults.armAgain")}
        </Button>
      )}
    </div>
  );
}
