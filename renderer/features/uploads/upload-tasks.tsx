import { ActionIcon, Progress } from "@mantine/core";
import { CircleAlert, CircleCheck, CircleSlash, Clock, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import type { UploadQueue, UploadTask } from "./upload-queue.ts";
import classes from "./uploads.module.css";

/** The running uploads, and the results of earlier ones. */
export function UploadTasks({ tasks, queue }: { tasks: readonly UploadTask[]; queue: UploadQueue }) {
  const { t } = useTranslation();
  if (tasks.length === 0) return null;
  return (
    <ul className={classes.tasks} aria-label={t("uploads.running")}>
      {tasks.map((task) => (
        <Task key={task.key} task={task} queue={queue} />
      ))}
    </ul>
  );
}

function Task({ task, queue }: { task: UploadTask; queue: UploadQueue }) {
  const { t } = useTranslation();
  const active = task.state === "waiting" || task.state === "sending";
  const { name, key } = task;
  return (
    <li className={classes.task} data-state={task.state}>
      <span className={classes.taskName} title={name}>
        {name}
      </span>
      <TaskState task={task} />
      <ActionIcon
        size={22}
        aria-label={active ? t("uploads.cancelOf", { name }) : t("uploads.dismissOf", { name })}
        onClick={() => (active ? queue.cancel(key) : queue.dismiss(key))}
      >
        <X size={13} aria-hidden />
      </ActionIcon>
    </li>
  );
}

function TaskState({ task }: { task: UploadTask }) {
  const { t } = useTranslation();
  const formats = useFormats();
  switch (task.state) {
    case "waiting":
      return <Outcome icon={Clock} text={t("uploads.waiting")} />;
    case "sending":
      return (
        <div className={classes.sending}>
          <Progress
            value={task.size === 0 ? 0 : Math.min(100, (task.sent / task.size) * 100)}
            size={4}
            transitionDuration={100}
            aria-label={t("uploads.progressOf", { name: task.name })}
            className={classes.bar}
          />
          <span>
            {t("uploads.progress", {
              sent: formats.bytes(Math.min(task.sent, task.size)),
              total: formats.bytes(task.size),
            })}
          </span>
        </div>
      );
    case "stored":
      return <Outcome icon={CircleCheck} text={t("uploads.done", { id: task.id })} />;
    case "cancelled":
      return <Outcome icon={CircleSlash} text={t("uploads.cancelled")} />;
    case "failed":
      return <Outcome icon={CircleAlert} text={task.reason} alert />;
  }
}

function Outcome(props: { icon: typeof Clock; text: string; alert?: boolean }) {
  const Icon = props.icon;
  return (
    <span className={classes.outcome} role={props.alert ? "alert" : "status"}>
      <Icon size={14} aria-hidden />
      {props.text}
    </span>
  );
}
