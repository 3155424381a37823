import { Button, Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { replayRequest } from "../../../server/contract/request-endpoints.ts";
import type { RecordedRequest } from "../../../server/contract/requests.ts";
import { useApi } from "../../api/api-context.ts";
import { messageOfError } from "../../api/console-error.ts";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { formatBody } from "../../ui/format-body.ts";
import { Notice } from "../../ui/notice.tsx";
import { changesOf, draftOf, type Draft } from "./resend-draft.ts";
import { headerOf } from "./wire-body.ts";
import classes from "./requests.module.css";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** The request as text to change and to send; what is not changed is sent as it was recorded. */
export function ResendForm(props: { request: RecordedRequest; onSent: (id: number) => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const { request } = props;
  const original = draftOf(request);
  const [draft, setDraft] = useState(original);
  const leave = useRef<AbortController>(undefined);
  const set = (change: Partial<Draft>) => setDraft((held) => ({ ...held, ...change }));
  const sending = useMutation({
    mutationFn: () => {
      leave.current = new AbortController();
      const body = changesOf(original, draft);
      return call(replayRequest, { params: { id: request.id }, body, signal: leave.current.signal });
    },
    onSuccess: ({ id }) => props.onSent(id),
  });
  const contentType = headerOf(request.request.headers, "content-type");
  const known = methods.includes(request.method) ? methods : [request.method, ...methods];
  return (
    <form
      className={classes.resend}
      aria-label={t("requests.edit")}
      onSubmit={(event) => {
        event.preventDefault();
        sending.mutate();
      }}
    >
      <div className={classes.resendLine}>
        <Select
          className={classes.resendMethod}
          aria-label={t("requests.method")}
          data={known}
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
          language={formatBody(draft.body, contentType).kind}
          value={draft.body}
          maxHeight={280}
          onChange={(body) => set({ body })}
        />
      )}
      <p className={classes.dim}>{t("requests.secretsHint")}</p>
      {sending.error && <Notice kind="error">{problemOf(sending.error)}</Notice>}
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

/** What is wrong with a field, by its name; else what the server says. */
function problemOf(error: Error): string {
  const [issue] = "issues" in error ? (error.issues as { path: PropertyKey[]; message: string }[]) : [];
  return issue ? `${issue.path.map(String).join(" ")}: ${issue.message}` : messageOfError(error);
}
