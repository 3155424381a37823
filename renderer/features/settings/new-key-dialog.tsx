import { Button, Checkbox, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { CreatedKey } from "../../../server/contract/console/key-endpoints.ts";
import {
  keyLimitsSchema,
  keyScopeSchema,
  mostDays,
  type KeyLimits,
  type KeyScope,
} from "../../../server/contract/process/access-keys.ts";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { NumberField } from "../../ui/forms/number-field.tsx";
import classes from "./new-key-dialog.module.css";
import { useOneAtATime } from "../../api/actions/use-one-at-a-time.ts";
import { scopeTexts, useCreateKey } from "./use-keys.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const limitNames = Object.keys(keyLimitsSchema.shape) as (keyof KeyLimits)[];

/** Makes a key and shows it, this once: the page forgets it when the window closes. */
export function NewKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const create = useCreateKey();
  const close = () => {
    onClose();
    create.reset();
  };
  const made = create.data;
  const title = made ? t("settings.keys.created", { name: made.key.name }) : t("settings.keys.new");
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      {made ? <Shown made={made} onClose={close} /> : <Form create={create} onClose={close} />}
    </Dialog>
  );
}

function Shown({ made, onClose }: { made: CreatedKey; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice kind="info">{t("settings.keys.shownOnce")}</Notice>
      <div className={classes.secret}>
        <code>{made.secret}</code>
        <CopyButton value={made.secret} name={t("settings.keys.secret")} />
      </div>
      <div className={classes.buttons}>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {t("settings.keys.done")}
        </Button>
      </div>
    </>
  );
}

function Form({ create, onClose }: { create: ReturnType<typeof useCreateKey>; onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<KeyScope[]>(["model:use"]);
  const [limits, setLimits] = useState<KeyLimits>({});
  const [days, setDays] = useState<number>();
  const make = useOneAtATime(create.mutateAsync);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make({
      name,
      scopes,
      limits,
      ...(days !== undefined && { expires_at: new Date(Date.now() + days * dayMs).toISOString() }),
    });
  };
  const counted = { min: 1, allowDecimal: false, hideControls: true, size: "xs" } as const;
  return (
    <form className={classes.form} onSubmit={submit}>
      {create.error && <Notice kind="error">{create.error.message}</Notice>}
      <TextInput
        label={t("settings.keys.name")}
        description={t("settings.keys.nameHint")}
        placeholder={t("settings.keys.namePlaceholder")}
        maxLength={64}
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label={t("settings.keys.scopes")}
        value={scopes}
        onChange={(chosen) => setScopes(keyScopeSchema.options.filter((scope) => chosen.includes(scope)))}
      >
        <div className={classes.scopes}>
          {keyScopeSchema.options.map((scope) => (
            <Checkbox key={scope} value={scope} label={t(`settings.keys.scope.${scopeTexts[scope]}`)} />
          ))}
        </div>
      </Checkbox.Group>
      <fieldset className={classes.limits}>
        <legend>{t("settings.keys.limits")}</legend>
        {limitNames.map((limit) => (
          <NumberField
            key={limit}
            {...counted}
            label={t(`settings.keys.limit.${limit}`)}
            placeholder={t("settings.keys.unlimited")}
            value={limits[limit]}
            onChange={(value) => setLimits((before) => ({ ...before, [limit]: value }))}
          />
        ))}
        <NumberField
          {...counted}
          label={t("settings.keys.days")}
          placeholder={t("settings.keys.forever")}
          max={mostDays}
          clampBehavior="strict"
          value={days}
          onChange={setDays}
        />
      </fieldset>
      <div className={classes.buttons}>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button
          type="submit"
          variant="filled"
          disabled={name.trim() === "" || scopes.length === 0}
          loading={create.isPending}
        >
          {t("settings.keys.create")}
        </Button>
      </div>
    </form>
  );
}
