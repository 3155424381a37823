import { Button } from "@mantine/core";
import { KeyRound, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  keyLimitsSchema,
  withMade,
  type AccessKey,
  type KeyLimits,
} from "../../../server/contract/process/access-keys.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { languageTag } from "../../i18n/languages.ts";
import { Badge } from "../../ui/marks/badge.tsx";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { useTicking } from "../../ui/marks/ticker.ts";
import { NewKeyDialog } from "./new-key-dialog.tsx";
import classes from "./settings.module.css";
import { scopeTexts, useKeys, useRemoveKey } from "./use-keys.ts";

const limitNames = Object.keys(keyLimitsSchema.shape) as (keyof KeyLimits)[];

/** The keys by which other machines get in: what each is good for, and the only look at a new one. */
export function KeysSection() {
  const { t } = useTranslation();
  const keys = useKeys();
  const { data } = keys;
  const [isMaking, setIsMaking] = useState(false);
  return (
    <section aria-labelledby="settings-keys" className={classes.group}>
      <h2 id="settings-keys">{t("settings.keys.title")}</h2>
      <QueryFailure query={keys} />
      <div className={classes.total}>
        <p className={classes.lead}>{t("settings.keys.about")}</p>
        <Button leftSection={<Plus size={13} aria-hidden />} onClick={() => setIsMaking(true)}>
          {t("settings.keys.new")}
        </Button>
      </div>
      {data?.keys.length === 0 && <p className={classes.text}>{t("settings.keys.none")}</p>}
      {data?.keys.map((key) => (
        <KeyRow key={key.id} of={key} made={withMade(key.id, data.keys).length - 1} />
      ))}
      <NewKeyDialog opened={isMaking} onClose={() => setIsMaking(false)} />
    </section>
  );
}

interface RowProps {
  of: AccessKey;
  /** How many keys go with it. */
  made: number;
}

function KeyRow({ of: { id, name, scopes, limits, expires_at }, made }: RowProps) {
  const { t, i18n } = useTranslation();
  const confirm = useConfirm();
  const showFailure = useShowFailure();
  const remove = useRemoveKey();
  const validity = useTicking((now) => (Date.parse(expires_at ?? "") <= now ? "expired" : "valid"), "minute");
  const facts: string[] = limitNames.flatMap((limit) => {
    const count = limits[limit];
    return count === undefined ? [] : [t(`settings.keys.limited.${limit}`, { count })];
  });
  if (expires_at !== undefined && validity === "valid") {
    const time = new Date(expires_at).toLocaleDateString(languageTag(i18n.language), { dateStyle: "long" });
    facts.push(t("settings.keys.until", { time }));
  }
  const ask = async () => {
    const sure = await confirm({
      title: t("settings.keys.confirm.title", { name }),
      text: `${t("settings.keys.confirm.text")}${made === 0 ? "" : t("settings.keys.confirm.made", { count: made })}`,
      action: t("settings.keys.remove"),
      danger: true,
    });
    if (sure) remove.mutate(id, { onError: showFailure });
  };
  return (
    <div className={classes.key} role="group" aria-label={name}>
      <KeyRound size={15} aria-hidden />
      <div>
        <div className={classes.nameLine}>
          <span className={classes.name}>{name}</span>
          {scopes.map((scope) => (
            <Badge key={scope} tone="info">
              {t(`settings.keys.scope.${scopeTexts[scope]}`)}
            </Badge>
          ))}
          {validity === "expired" && <Badge tone="down">{t("settings.keys.expired")}</Badge>}
        </div>
        <p className={classes.text}>
          <code>{id}</code>
          {facts.map((fact) => ` · ${fact}`).join("")}
        </p>
      </div>
      <Button
        leftSection={<Trash2 size={13} aria-hidden />}
        aria-label={t("settings.keys.removeOf", { name })}
        loading={remove.isPending}
        onClick={() => void ask()}
      >
        {t("settings.keys.remove")}
      </Button>
    </div>
  );
}
