import { ActionIcon, PasswordInput, Select, Switch, TagsInput, TextInput, Tooltip } from "@mantine/core";
import { Clock, FileCog, Flag, FolderCog, RotateCcw, Variable } from "lucide-react";
import { useId } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { SettingName } from "../../../server/contract/process/settings.ts";
import type { SettingView } from "../../../server/contract/console/setting-endpoints.ts";
import { NumberField } from "../../ui/forms/number-field.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { savedValue } from "./configuration-file.ts";
import { describeInChinese } from "./setting-texts.zh.ts";
import type { SettingValue } from "./use-settings.ts";
import classes from "./settings.module.css";

const sourceIcons = { project: FolderCog, file: FileCog, environment: Variable, flag: Flag };

/** A setting in words. */
export const nameOf = (t: TFunction, name: string): string => t(`settings.name.${name as SettingName}`);

interface RowProps {
  setting: SettingView;
  /** The unsaved input; undefined: none. */
  draft: SettingValue | undefined;
  /** The server's error for it. */
  problem: string | undefined;
  /** Undefined: what is stored stays. */
  onChange: (value: SettingValue | undefined) => void;
}

/** A value in words; an empty one has none. */
function textOf(t: TFunction, value: SettingView["value"]): string {
  if (typeof value === "boolean") return t(value ? "settings.on" : "settings.off");
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** A setting: its names, its meaning, the origin of its value, and its field. */
export function SettingRow(props: RowProps) {
  const { t, i18n } = useTranslation();
  const { setting, draft } = props;
  const id = useId();
  const fixed = setting.source === "flag" || setting.source === "environment";
  const text = i18n.language === "zh" ? (describeInChinese(setting.name) ?? setting.description) : setting.description;
  const now = textOf(t, setting.value);
  const canReset = setting.editable && draft === undefined && (setting.source === "file" || setting.pending);
  return (
    <div
      className={classes.row}
      role="group"
      aria-labelledby={`${id}-name`}
      data-changed={draft !== undefined}
      data-setting={setting.name}
    >
      <div className={classes.about}>
        <div className={classes.nameLine}>
          <span id={`${id}-name`} className={classes.name}>
            {nameOf(t, setting.name)}
          </span>
          <code className={classes.code}>{setting.name}</code>
          <SourceBadge setting={setting} />
          {setting.pending && (
            <Badge tone="busy" icon={Clock}>
              {t(`settings.pending.${setting.takes_effect}`)}
            </Badge>
          )}
        </div>
        <p id={`${id}-about`} className={classes.text}>
          {text}
        </p>
        {setting.pending && now && <p className={classes.text}>{t("settings.untilThen", { value: now })}</p>}
        {fixed && (
          <p className={classes.text}>
            {t("settings.fixed", { by: setting.source === "flag" ? setting.flag : setting.variable })}
          </p>
        )}
      </div>
      <div className={classes.field}>
        <Field {...props} id={id} />
        {canReset && (
          <Tooltip label={t("settings.reset")}>
            <ActionIcon aria-label={t("settings.resetOf", { name: setting.name })} onClick={() => props.onChange(null)}>
              <RotateCcw size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </div>
  );
}

function SourceBadge({ setting }: { setting: SettingView }) {
  const { t } = useTranslation();
  if (setting.source === "default") return null;
  return (
    <Badge tone="info" icon={sourceIcons[setting.source]}>
      {t(`settings.source.${setting.source}`)}
    </Badge>
  );
}

function Field({ setting, draft, problem, onChange, id }: RowProps & { id: string }) {
  const { t } = useTranslation();
  /** Null where the field is emptied: the default, which then counts, is told behind the cursor, not put under it. */
  const typed = draft === undefined ? savedValue(setting) : draft;
  const visible = typed === null ? setting.default : typed;
  const common = {
    "aria-labelledby": `${id}-name`,
    "aria-describedby": `${id}-about`,
    error: problem,
    disabled: !setting.editable,
    size: "xs",
    className: classes.input ?? "",
  };
  const standard = String(setting.default ?? "");
  if (setting.secret)
    return (
      <PasswordInput
        {...common}
        value={typeof draft === "string" ? draft : ""}
        placeholder={String(savedValue(setting) ?? t(setting.is_set ? "settings.secretSet" : "settings.secretUnset"))}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": t("settings.showTyped") }}
        // The current value is hidden: an emptied field changes nothing, only the reset removes it.
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      />
    );
  switch (setting.type) {
    case "switch":
      return (
        <Switch
          {...common}
          checked={visible === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
          label={textOf(t, visible === true)}
        />
      );
    case "number":
      return (
        <NumberField
          {...common}
          value={typeof typed === "number" ? typed : undefined}
          placeholder={standard}
          thousandSeparator=""
          hideControls
          onChange={(value) => onChange(value ?? null)}
        />
      );
    case "choice":
      return (
        <Select
          {...common}
          value={visible === undefined ? null : String(visible)}
          placeholder={standard}
          data={setting.choices ?? []}
          clearable={setting.default === undefined}
          comboboxProps={{ transitionProps: { duration: 100 } }}
          onChange={(value) => onChange(value)}
        />
      );
    case "list":
      return (
        <TagsInput {...common} value={Array.isArray(visible) ? visible : []} onChange={(value) => onChange(value)} />
      );
    case "text":
      return (
        <TextInput
          {...common}
          value={typeof typed === "string" ? typed : ""}
          placeholder={standard}
          onChange={(event) => onChange(event.currentTarget.value || (setting.can_be_empty ? "" : null))}
        />
      );
  }
}
