import { Button, Progress } from "@mantine/core";
import { Download, Square } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ReceiverCheck } from "../../../../server/contract/provider/checks/receiver-checks.ts";
import { junitReport } from "../../../../server/contract/provider/checks/receiver-check-junit.ts";
import { useCommand } from "../../../api/queries/use-command.ts";
import { useOverview } from "../../../api/queries/use-overview.ts";
import { useShowFailure } from "../../../api/actions/use-show-failure.ts";
import { CodeBlock } from "../../../ui/code/code-block.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { checkCommand } from "./check-command.ts";
import { CheckRow } from "./check-row.tsx";
import { saveText } from "../../../ui/code/save-text.ts";
import { useCancelCheck } from "./use-receiver-check.ts";
import classes from "./receiver.module.css";
import { shellWord } from "../../../../server/contract/shell-words.ts";

/** The progress of a check, and its results. */
export function CheckReport({ check }: { check: ReceiverCheck }) {
  const { t } = useTranslation();
  const cancel = useCancelCheck();
  const showFailure = useShowFailure();
  const commandOf = useCommand();
  const same = checkCommand(check, useOverview().data?.addresses.app);
  const { id, state, planned, results, counts, problem } = check;
  const running = state === "running";
  const current = running ? planned[results.length] : undefined;
  return (
    <section className={classes.report} aria-label={t("payments.check.report", { id })}>
      <header className={classes.reportHead}>
        <h2>{t("payments.check.report", { id })}</h2>
        <span className={classes.text} role="status">
          {t(`payments.check.state.${state}`)}
        </span>
        <div className={classes.actions}>
          {running && (
            <Button
              leftSection={<Square size={12} aria-hidden />}
              loading={cancel.isPending}
              onClick={() => cancel.mutate(id, { onError: showFailure })}
            >
              {t("common.cancel")}
            </Button>
          )}
          {!running && (
            <>
              <Button
                leftSection={<Download size={13} aria-hidden />}
                onClick={() =>
                  saveText(`receiver-check-${id}.json`, "application/json", JSON.stringify(check, null, 2))
                }
              >
                JSON
              </Button>
              <Button
                leftSection={<Download size={13} aria-hidden />}
                onClick={() => saveText(`receiver-check-${id}.xml`, "application/xml", junitReport(check))}
              >
                JUnit
              </Button>
            </>
          )}
        </div>
      </header>
      {check.notify_url !== undefined && <p className={classes.wire}>{check.notify_url}</p>}
      <p className={classes.counts}>
        <span data-verdict="pass">{t("payments.check.pass", { count: counts.pass })}</span>
        <span data-verdict="fail">{t("payments.check.fail", { count: counts.fail })}</span>
        <span data-verdict="not_judged">{t("payments.check.notJudged", { count: counts.not_judged })}</span>
        <span>{t("payments.check.progress", { done: results.length, all: planned.length })}</span>
      </p>
      {running && (
        <Progress
          value={(results.length / Math.max(1, planned.length)) * 100}
          size={4}
          aria-label={t("payments.check.state.running")}
        />
      )}
      {problem !== undefined && <Notice kind="error">{problem}</Notice>}
      <ul className={classes.rows}>
        {results.map((result) => (
          <CheckRow key={result.row} row={result.row} result={result} />
        ))}
        {current !== undefined && <CheckRow row={current} result={undefined} />}
      </ul>
      {!running && same && (
        <div>
          <h3>{t("payments.check.sameInShell")}</h3>
          <CodeBlock
            code={commandOf([...same, "--junit", "report.xml"].map((word) => shellWord(word, "linux")).join(" "))}
            name={t("payments.check.command")}
          />
        </div>
      )}
    </section>
  );
}
