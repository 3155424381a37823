import { z } from "zod";
import { message, type Text } from "../../../server/contract/messages/message.ts";
import { Button, Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { describeIssue, sentenceOf } from "../../../server/http/messages/describe-issue.ts";
import { messageOfError } from "../../api/http/console-error.ts";
import { useOneAtATime } from "../../api/actions/use-one-at-a-time.ts";
import { useWireTexts } from "../../i18n/wire-texts.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { formatBody } from "../../ui/code/format-body.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { withPresent } from "../../ui/forms/with-present.ts";
import { headerOfDraft, type RequestDraft } from "./request-draft.ts";
import classes from "./requests.module.css";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

export type ChangeDraft = (change: Partial<RequestDraft>) => void;

/** A form for a request. Leaving the form discards it. */
export function RequestForm(props: {
  label: string;
  initial: RequestDraft;
  /** Additional fields at the top. */
  children?: (draft: RequestDraft, set: ChangeDraft) => ReactNode;
  /** @throws ZodError for an invalid field */
  onSend: (draft: RequestDraft, signal: AbortSignal) => Promise<{ readonly id: number }>;
  onSent: (id: number) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const say = useWireTexts();
  const { initial } = props;
  const [draft, setDraft] = useState(initial);
  const leave = useRef<AbortController>(undefined);
  const set: ChangeDraft = (change) => setDraft((held) => ({ ...held, ...change }));
  const sending = useMutation({
    mutationFn: async () => {
      leave.current = new AbortController();
      return props.onSend(draft, leave.current.signal);
    },
    onSuccess: ({ id }) => props.onSent(id),
  });
  const submit = useOneAtATime(() => sending.mutateAsync());
  return (
    <form
      className={classes.resend}
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {props.children?.(draft, set)}
      <div className={classes.resendLine}>
        <Select
          className={classes.resendMethod}
          aria-label={t("requests.method")}
          data={withPresent(methods, initial.method)}
          value={draft.method}
          allowDeselect={false}
          onChange={(method) => set({ method: method ?? draft.method })}
        />
        <TextInput
          className={classes.resendPath}
          aria-label={t("requests.pathAndQuery")}
          value={draft.path}
          onChange={(change) => set({ path: change.currentTarget.value })}
        />
      </div>
      <h3>{t("requests.headers")}</h3>
      <CodeEditor
        label={t("requests.headers")}
        language="plain"
        value={draft.headers}
        maxHeight={180}
        onChange={(headers) => set({ headers })}
      />
      <h3>{t("requests.body")}</h3>
      {draft.body === undefined ? (
        <p className={classes.dim}>{t("requests.bodyAsRecorded")}</p>
      ) : (
        <CodeEditor
          label={t("requests.body")}
          language={formatBody(draft.body, headerOfDraft(draft, "content-type")).kind}
          value={draft.body}
          maxHeight={280}
          onChange={(body) => set({ body })}
        />
      )}
      <p className={classes.dim}>{t("requests.secretsHint")}</p>
      {sending.error && <Notice kind="error">{say(problemOf(sending.error))}</Notice>}
      <div className={classes.resendActions}>
        <Button
          onClick={() => {
            leave.current?.abort();
            props.onCancel();
          }}
        >
          {t("common.cancel")}
        </Button>
        <Button type="submit" variant="filled" loading={sending.isPending} leftSection={<Send size={13} aria-hidden />}>
          {t("requests.send")}
        </Button>
      </div>
    </form>
  );
}

/** The error of a field, by its name; else the server's message. */
function problemOf(error: Error): Text {
  const [issue] = error instanceof z.ZodError ? error.issues : [];
  if (!issue) return messageOfError(error);
  return message(...sentenceOf({ field: issue.path.join("."), problem: describeIssue(issue) }, "body"));
}
