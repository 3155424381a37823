import { ActionIcon, Button, Progress, Tooltip } from "@mantine/core";
import { CircleAlert, CircleCheck, CirclePause, Play, Square, X, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { useModelJobs } from "./use-model-jobs.ts";
import type { ModelJob } from "./model-jobs.ts";
import { sumOf, type LayerProgress } from "./transfer.ts";
import classes from "../models.module.css";

/** Running pulls, creations and loads, and the results of earlier ones. */
export function JobList({ onOpen }: { onOpen: (name: string) => void }) {
  const { t } = useTranslation();
  const { jobs } = useModelJobs();
  if (jobs.length === 0) return null;
  return (
    <ul className={classes.jobs} aria-label={t("models.jobs")}>
      {jobs.map((job) => (
        <Job key={job.key} job={job} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function Job({ job, onOpen }: { job: ModelJob; onOpen: (name: string) => void }) {
  const { t } = useTranslation();
  const { actions } = useModelJobs();
  const { key, request, state, layers } = job;
  const name = request.model;
  return (
    <li className={classes.job} data-state={state}>
      <div className={classes.jobLine}>
        <span className={classes.jobKind}>{t(`models.kind.${request.kind}`)}</span>
        <span className={classes.jobName} title={name}>
          <bdi>{name}</bdi>
        </span>
        <JobState job={job} />
        <span className={classes.jobButtons}>
          {state === "running" && (
            <Act label={t("models.job.stop", { name })} icon={Square} onClick={() => actions.stop(key)} />
          )}
          {state === "failed" && (
            <Button
              size="compact-xs"
              aria-label={t("models.job.retryOf", { name })}
              onClick={() => actions.start(request)}
            >
              {t("models.job.retry")}
            </Button>
          )}
          {state === "stopped" && (
            <Act label={t("models.job.resume", { name })} icon={Play} onClick={() => actions.start(request)} />
          )}
          {state === "done" && (
            <Act label={t("models.job.open", { name })} icon={CircleCheck} onClick={() => onOpen(name)} />
          )}
          {state !== "running" && (
            <Act label={t("models.job.dismiss", { name })} icon={X} onClick={() => actions.dismiss(key)} />
          )}
        </span>
      </div>
      {layers.length > 1 && state !== "done" && <Layers name={name} layers={layers} />}
    </li>
  );
}

function Act(props: { label: string; icon: LucideIcon; onClick: () => void }) {
  const Icon = props.icon;
  return (
    <Tooltip label={props.label}>
      <ActionIcon size={24} aria-label={props.label} onClick={props.onClick}>
        <Icon size={13} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** The words that Ollama puts before the reason of a failed pull; the job says already that it is one. */
const pullPrefix = /^pull model manifest: /;

const outcomes = { done: CircleCheck, stopped: CirclePause, failed: CircleAlert } as const;

function JobState({ job }: { job: ModelJob }) {
  const { t } = useTranslation();
  if (job.state === "running") return <JobProgress job={job} />;
  const Icon = outcomes[job.state];
  const text = job.state === "failed" ? (job.reason ?? "").replace(pullPrefix, "") : t(`models.job.${job.state}`);
  return (
    <span className={classes.outcome} role={job.state === "failed" ? "alert" : "status"}>
      <Icon size={14} aria-hidden />
      <span title={text}>{text}</span>
    </span>
  );
}

function JobProgress({ job }: { job: ModelJob }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { completed, total } = sumOf(job.layers);
  const part = job.fraction ?? (total > 0 ? completed / total : undefined);
  const facts = [
    ...(job.phase ? [t(`models.job.${job.phase}`)] : []),
    ...(total > 0
      ? [t("models.job.bytes", { completed: formats.bytes(completed), total: formats.bytes(total) })]
      : job.fraction === undefined
        ? [job.status || t("models.job.waiting")]
        : [t("models.job.percent", { percent: formats.number(job.fraction * 100) })]),
    ...(job.speed === undefined ? [] : [`${formats.bytes(job.speed)}/s`]),
    ...(job.speed !== undefined && job.speed > 0 && completed < total
      ? [t("models.job.left", { time: formats.duration(Math.ceil((total - completed) / job.speed) * 1000) })]
      : []),
    ...(total > 0 && completed >= total && job.status !== "" ? [job.status] : []),
  ];
  return (
    <div className={classes.running}>
      <Progress
        value={(part ?? 1) * 100}
        animated={part === undefined}
        striped={part === undefined}
        size={4}
        transitionDuration={100}
        aria-label={t("models.job.progress", { name: job.request.model })}
        className={classes.bar}
      />
      <span className={classes.jobFacts}>{facts.join(" · ")}</span>
    </div>
  );
}

/** A progress bar for each layer of a pull. */
function Layers({ name, layers }: { name: string; layers: readonly LayerProgress[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <details className={classes.layers}>
      <summary>{t("models.job.layers", { count: layers.length })}</summary>
      <ul aria-label={t("models.job.layersOf", { name })}>
        {layers.map(({ digest, completed, total }) => (
          <li key={digest} className={classes.layer}>
            <span className={classes.wire}>{digest.replace("sha256:", "").slice(0, 12)}</span>
            <Progress
              value={total === 0 ? 100 : (completed / total) * 100}
              size={3}
              transitionDuration={100}
              aria-label={t("models.job.progress", { name: digest })}
              className={classes.bar}
            />
            <span className={classes.jobFacts}>
              {t("models.job.bytes", { completed: formats.bytes(completed), total: formats.bytes(total) })}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
