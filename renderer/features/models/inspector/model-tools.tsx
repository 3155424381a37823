import { Button, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Copy, FilePlus2, MessageSquare, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isSameModel } from "../../../api/queries/model-name.ts";
import { useConfirm } from "../../../ui/dialogs/confirm.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { useToast } from "../../../ui/dialogs/toast.ts";
import { ReplacesNotice } from "../new-model/replaces-notice.tsx";
import { useModelActions } from "../use-models.ts";
import classes from "../models.module.css";

/** Actions on an installed model, except loading it. */
export function ModelTools(props: {
  name: string;
  installed: readonly string[];
  canChat: boolean;
  onOpen: (name: string) => void;
  onRemoved: () => void;
  onCreate: () => void;
}) {
  const { t } = useTranslation();
  const toast = useToast();
  const confirm = useConfirm();
  const { remove } = useModelActions();
  const [copying, setCopying] = useState(false);
  const { name, onOpen, onRemoved } = props;
  const askAndRemove = async () => {
    const sure = await confirm({
      title: t("models.removeTitle", { name }),
      text: t("models.removeText"),
      action: t("models.remove"),
      danger: true,
    });
    if (!sure) return;
    // These tools may go with their model before the answer is here; a promise settles all the same.
    await remove.mutateAsync(name).then(
      () => {
        toast.success(t("models.removed", { name }));
        onRemoved();
      },
      () => undefined, // shown below
    );
  };
  return (
    <>
      <div className={classes.buttons}>
        {props.canChat && (
          <Button
            renderRoot={(root) => <Link {...root} to="/chat" search={{ model: name }} />}
            leftSection={<MessageSquare size={13} aria-hidden />}
          >
            {t("models.chat")}
          </Button>
        )}
        <Button leftSection={<Copy size={13} aria-hidden />} onClick={() => setCopying(!copying)}>
          {t("models.copy")}
        </Button>
        <Button leftSection={<FilePlus2 size={13} aria-hidden />} onClick={props.onCreate}>
          {t("models.edit")}
        </Button>
        <Button
          leftSection={<Trash2 size={13} aria-hidden />}
          loading={remove.isPending}
          onClick={() => void askAndRemove()}
        >
          {t("models.remove")}
        </Button>
      </div>
      {remove.error && <Notice kind="error">{t("failure.withReason", { reason: remove.error.message })}</Notice>}
      {copying && <CopyForm name={name} installed={props.installed} onDone={onOpen} />}
    </>
  );
}

function CopyForm({
  name,
  installed,
  onDone,
}: {
  name: string;
  installed: readonly string[];
  onDone: (copy: string) => void;
}) {
  const { t } = useTranslation();
  const toast = useToast();
  const confirm = useConfirm();
  const { copy } = useModelActions();
  const [to, setTo] = useState(`${name.split(":")[0] ?? name}-copy`);
  const destination = to.trim();
  const here = installed.find((one) => isSameModel(one, destination));
  const askAndCopy = async () => {
    const isSure =
      here === undefined ||
      (await confirm({
        title: t("models.replaceTitle", { name: here }),
        text: t("models.replaceText"),
        action: t("models.replace"),
        danger: true,
      }));
    if (!isSure) return;
    copy.mutate(
      { source: name, destination },
      {
        onSuccess: () => {
          toast.success(t("models.copied", { from: name, to: destination }));
          onDone(destination.includes(":") ? destination : `${destination}:latest`);
        },
      },
    );
  };
  return (
    <form
      className={classes.copyForm}
      onSubmit={(event) => {
        event.preventDefault();
        void askAndCopy();
      }}
    >
      <TextInput
        label={t("models.copyTo")}
        value={to}
        error={copy.error?.message}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" loading={copy.isPending} disabled={destination === ""}>
        {t("models.copyNow")}
      </Button>
      <div className={classes.belowField}>
        <ReplacesNotice name={here} />
      </div>
    </form>
  );
}
