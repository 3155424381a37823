import { Button } from "@mantine/core";
import { CircleHelp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import type { FaultOrigin, FaultRow } from "../fault-row.ts";
import { QuestionCard } from "./question-card.tsx";
import { isAskedBy, questions } from "./questions.ts";
import type { NewFault } from "../fault-calls.ts";
import { useRecentTraffic } from "../use-faults.ts";
import classes from "./questions.module.css";

/** The questions as cards, which keep their places. */
export function QuestionsView(props: {
  faults: readonly FaultRow[];
  origin: FaultOrigin | undefined;
  q: string | undefined;
  isBusy: boolean;
  onArm: (fault: NewFault, spent: readonly FaultRow[]) => void;
  onDisarm: (rows: readonly FaultRow[]) => void;
  onOpen: (row: FaultRow) => void;
  onShowAll: () => void;
}) {
  const { t } = useTranslation();
  const traffic = useRecentTraffic();
  const found = questions.filter(({ id, origin, presets }) => {
    if (props.origin !== undefined && origin !== props.origin) return false;
    const kinds = presets.map(({ fault }) => (fault.side === "sim" ? fault.body.kind : ""));
    const words = [t(`faults.questions.${id}.title`), t(`faults.questions.${id}.text`), ...kinds].join(" ");
    return words.toLowerCase().includes((props.q ?? "").toLowerCase());
  });
  if (found.length === 0)
    return (
      <EmptyState
        icon={<CircleHelp size={26} strokeWidth={1.5} aria-hidden />}
        title={t("faults.noQuestion")}
        text={t("faults.noQuestionText")}
      >
        <Button onClick={props.onShowAll}>{t("faults.showAll")}</Button>
      </EmptyState>
    );
  return (
    <div className={classes.scroller}>
      <QueryFailure query={traffic} />
      <div className={classes.cards}>
        {found.map((question) => (
          <QuestionCard
            key={question.id}
            question={question}
            armed={props.faults.filter((row) => isAskedBy(question, row))}
            traffic={traffic.data}
            isBusy={props.isBusy}
            onArm={props.onArm}
            onDisarm={props.onDisarm}
            onOpen={props.onOpen}
          />
        ))}
      </div>
    </div>
  );
}
