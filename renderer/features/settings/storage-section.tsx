import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Eraser, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { storagePartSchema, type StoragePart } from "../../../server/contract/console/data/storage-endpoints.ts";
import { useCommand } from "../../api/queries/use-command.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { useToast } from "../../ui/dialogs/toast.ts";
import { useCountAgain, useFreeSpace, useStorage, type Removable } from "./use-storage.ts";
import classes from "./settings.module.css";

const removable: ReadonlySet<StoragePart> = new Set<Removable>(["orphans", "requests", "prompt_cache", "backups"]);
/** The parts that a bucket may hold instead of the data directory. */
const inBucket: ReadonlySet<StoragePart> = new Set<StoragePart>(["uploads", "orphans"]);
const isRemovable = (part: StoragePart): part is Removable => removable.has(part);

/** The content of the data directory, its size, and the actions that free space. */
export function StorageSection() {
  const { t } = useTranslation();
  const commandOf = useCommand();
  const formats = useFormats();
  const storage = useStorage();
  const { data, isFetching } = storage;
  const countAgain = useCountAgain();
  const showFailure = useShowFailure();
  const sizes = new Map(data?.parts.map((part) => [part.name, part]));
  const total = data?.parts.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  const isCounting = data?.counting ?? isFetching;
  return (
    <section aria-labelledby="settings-storage" className={classes.group}>
      <h2 id="settings-storage">{t("settings.storage.title")}</h2>
      <QueryFailure query={storage} />
      <div className={classes.total}>
        <span role="status">
          {isCounting
            ? t("settings.storage.counting", { count: data?.counted_files ?? 0 })
            : t("settings.storage.total", { size: formats.bytes(total) })}
        </span>
        <Button
          leftSection={<RotateCw size={13} aria-hidden />}
          disabled={isCounting}
          onClick={() => countAgain.mutate(undefined, { onError: showFailure })}
        >
          {t("settings.storage.countAgain")}
        </Button>
      </div>
      {storagePartSchema.options.map((name) => (
        <PartRow
          key={name}
          name={name}
          size={sizes.get(name)}
          bucket={inBucket.has(name) ? data?.uploads_in : undefined}
        />
      ))}
      <p className={classes.text}>
        {t("settings.storage.backupHint")} <code>{commandOf("backup FILE")}</code>
      </p>
    </section>
  );
}

interface PartProps {
  name: StoragePart;
  /** Undefined before it was measured. */
  size: { files: number; bytes: number } | undefined;
  /** Where it is, if not in the data directory. */
  bucket: string | undefined;
}

function PartRow({ name, size, bucket }: PartProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const label = t(`settings.storage.part.${name}`);
  return (
    <div className={classes.part} role="group" aria-label={label}>
      <div className={classes.about}>
        <strong>{label}</strong>
        <p className={classes.text}>{t(`settings.storage.about.${name}`)}</p>
        {bucket !== undefined && <p className={classes.text}>{t("settings.storage.inBucket", { place: bucket })}</p>}
      </div>
      <span className={classes.size}>
        {bucket === undefined && (size ? formats.bytes(size.bytes) : "…")}
        <span className={classes.files}>
          {bucket === undefined && size && t("settings.storage.files", { count: size.files })}
        </span>
      </span>
      <span className={classes.action}>
        {isRemovable(name) && (
          <FreeButton part={name} isEmpty={bucket === undefined && size?.files === 0} label={label} />
        )}
        {name === "models" && <Link to="/models">{t("settings.storage.toModels")}</Link>}
        {name === "uploads" && <Link to="/uploads">{t("settings.storage.toUploads")}</Link>}
      </span>
    </div>
  );
}

function FreeButton({ part, isEmpty, label }: { part: Removable; isEmpty: boolean; label: string }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const toast = useToast();
  const showFailure = useShowFailure();
  const free = useFreeSpace();
  const ask = async () => {
    const sure = await confirm({
      title: t(`settings.storage.confirm.${part}.title`),
      text: t(`settings.storage.confirm.${part}.text`),
      action: t("settings.storage.delete"),
      danger: true,
    });
    if (sure)
      free.mutate(part, { onSuccess: () => toast.success(t("settings.storage.deleted")), onError: showFailure });
  };
  return (
    <Button
      leftSection={<Eraser size={13} aria-hidden />}
      aria-label={t("settings.storage.deleteOf", { name: label })}
      disabled={isEmpty}
      loading={free.isPending}
      onClick={() => void ask()}
    >
      {t("settings.storage.delete")}
    </Button>
  );
}
