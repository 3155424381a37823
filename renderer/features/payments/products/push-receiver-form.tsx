import { Button, Input, PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  pushFormat,
  pushMode,
  simPushReceiverInputSchema,
  type SimPushReceiver,
} from "../../../../server/contract/provider/sim-message-push.ts";
import { ConsoleError } from "../../../api/http/console-error.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { usePushReceiverChanges } from "./use-push-receiver.ts";
import classes from "./products.module.css";

/** As on the platform's settings page, in every language. */
const labels = { url: "URL", token: "Token", encoding_aes_key: "EncodingAESKey" } as const;
type Field = keyof typeof labels;

/** Sets, changes or removes the receiver of message push. An empty secret keeps the stored one, which is never shown. */
export function PushReceiverForm({ receiver, onDone }: { receiver: SimPushReceiver | null; onDone: () => void }) {
  const { t } = useTranslation();
  const { set, remove } = usePushReceiverChanges();
  const [url, setUrl] = useState(receiver?.url ?? "");
  const [token, setToken] = useState("");
  const [key, setKey] = useState("");
  const [format, setFormat] = useState(receiver?.format ?? "JSON");
  const [mode, setMode] = useState(receiver?.mode ?? "safe");
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());

  const refusal = set.error instanceof ConsoleError && set.error.status === 409 ? set.error : undefined;
  const errorOf = (field: Field) => wrong.has(field) && t(`payments.products.push.rule.${field}`);
  const save = () => {
    const secrets = { ...(token !== "" && { token }), ...(key !== "" && { encoding_aes_key: key }) };
    const { data, error } = simPushReceiverInputSchema.safeParse({ url: url.trim(), format, mode, ...secrets });
    const missing = receiver ? [] : [token === "" && "token", key === "" && "encoding_aes_key"];
    const found = [...(error?.issues ?? []).map(({ path }) => path[0]), ...missing];
    setWrong(new Set(found.filter((field) => typeof field === "string")));
    set.reset();
    if (data && !missing.some(Boolean)) set.mutate(data, { onSuccess: onDone });
  };
  const secretHint = receiver ? { placeholder: t("payments.products.push.kept") } : {};
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextInput
        label={labels.url}
        type="url"
        description={t("payments.products.push.urlHint")}
        placeholder="http://127.0.0.1:8080/wechat"
        value={url}
        error={errorOf("url") || (refusal && t("payments.products.push.notVerified"))}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <PasswordInput
        size="xs"
        label={labels.token}
        {...secretHint}
        autoComplete="off"
        value={token}
        error={errorOf("token")}
        onChange={(event) => setToken(event.currentTarget.value)}
      />
      <PasswordInput
        size="xs"
        label={labels.encoding_aes_key}
        {...secretHint}
        autoComplete="off"
        value={key}
        error={errorOf("encoding_aes_key")}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <Input.Wrapper label={t("payments.products.push.mode")} labelElement="div" className={classes.choice ?? ""}>
        <Segmented
          label={t("payments.products.push.mode")}
          value={mode}
          choices={pushMode.options.map((value) => ({ value, label: t(`payments.products.push.modes.${value}`) }))}
          onChange={setMode}
        />
      </Input.Wrapper>
      <Input.Wrapper label={t("payments.products.push.format")} labelElement="div" className={classes.choice ?? ""}>
        <Segmented
          label={t("payments.products.push.format")}
          value={format}
          choices={pushFormat.options.map((value) => ({ value, label: value }))}
          onChange={setFormat}
        />
      </Input.Wrapper>
      {set.error && !refusal && <Notice kind="error">{set.error.message}</Notice>}
      {remove.error && <Notice kind="error">{remove.error.message}</Notice>}
      <div className={classes.formButtons}>
        {receiver && (
          <Button loading={remove.isPending} onClick={() => remove.mutate(undefined, { onSuccess: onDone })}>
            {t("payments.products.push.remove")}
          </Button>
        )}
        <Button type="submit" variant="filled" loading={set.isPending}>
          {t("payments.products.push.save")}
        </Button>
      </div>
    </form>
  );
}
