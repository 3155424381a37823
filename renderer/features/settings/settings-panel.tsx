import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Download, Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConsoleError, messageOfError } from "../../api/http/console-error.ts";
import { useDesktop } from "../../api/desktop/use-desktop.ts";
import { useGpuEngine } from "../../api/queries/use-gpu-engine.ts";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { FileChoice } from "../../ui/forms/file-choice.tsx";
import { readText } from "../../ui/forms/read-text.ts";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { saveText } from "../../ui/code/save-text.ts";
import { useUnsaved } from "../../api/address/use-unsaved.ts";
import { usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { useToast } from "../../ui/dialogs/toast.ts";
import { exportedFile, importedValues } from "./configuration-file.ts";
import { DesktopSection } from "./desktop-section.tsx";
import { GpuSection } from "./gpu-section.tsx";
import { KeysSection } from "./keys-section.tsx";
import { groupSettings } from "./setting-groups.ts";
import { PendingNotice } from "./pending-notice.tsx";
import { nameOf, SettingRow } from "./setting-row.tsx";
import { SettingsIndex } from "./settings-index.tsx";
import { StorageSection } from "./storage-section.tsx";
import { describeInChinese } from "./setting-texts.zh.ts";
import { useChangeSettings, useSettings, type SettingValue } from "./use-settings.ts";
import classes from "./settings.module.css";

const route = getRouteApi("/settings");

/** The unsaved inputs, by the names of the settings. */
type Drafts = Readonly<Record<string, SettingValue>>;

function withDraft(drafts: Drafts, name: string, value: SettingValue | undefined): Drafts {
  if (value !== undefined) return { ...drafts, [name]: value };
  return Object.fromEntries(Object.entries(drafts).filter(([other]) => other !== name));
}

/** All settings of Hearth. Changes are saved to the configuration file together, or not at all. */
export function SettingsPanel() {
  const { t } = useTranslation();
  const { q } = route.useSearch();
  const navigate = usePageNavigate(route);
  const toast = useToast();
  const query = useSettings();
  const { data } = query;
  const { data: desktop } = useDesktop();
  const { data: gpu } = useGpuEngine();
  const change = useChangeSettings();
  const [drafts, setDrafts] = useState<Drafts>({});
  const settings = data?.settings ?? [];
  const wanted = q?.toLowerCase();
  const fits = (name: string, description: string) =>
    wanted === undefined ||
    `${name} ${nameOf(t, name)} ${description} ${describeInChinese(name) ?? ""}`.toLowerCase().includes(wanted);
  const visible = settings.filter(({ name, description }) => fits(name, description));
  const changed = Object.keys(drafts).length;
  useUnsaved(changed > 0);
  const rows = useRef<HTMLDivElement>(null);
  /** The setting that was refused, until its field is shown. */
  const [refused, setRefused] = useState<string>();
  useEffect(() => {
    if (refused === undefined) return;
    const field = rows.current?.querySelector<HTMLElement>(`[data-setting="${refused}"] input`);
    // The search may hide it.
    if (!field) return void navigate({ search: {}, replace: true });
    field.scrollIntoView({ block: "center" });
    field.focus({ preventScroll: true });
    setRefused(undefined);
  }, [refused, q, navigate]);
  const save = (values: Drafts) =>
    change.mutate(values, {
      onError: (problem) => {
        const name = problem instanceof ConsoleError ? problem.field : undefined;
        if (settings.some((setting) => setting.name === name)) setRefused(name);
      },
      onSuccess: () => {
        // What was changed while this was being saved stays.
        setDrafts((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== values[name])));
        toast.success(t("settings.saved"));
      },
    });
  const take = async (file: File) => {
    const text = await readText(file);
    if (text === undefined) return toast.error(t("failure.noText", { name: file.name }));
    try {
      const values = importedValues(text);
      setDrafts((before) => ({ ...before, ...values }));
    } catch (problem) {
      toast.error(t("settings.notAFile", { name: file.name, reason: messageOfError(problem) }));
    }
  };
  const problemOf = (name: string) =>
    change.error instanceof ConsoleError && change.error.field === name ? change.error.message : undefined;

  return (
    <Page
      title={t("settings.title")}
      controls={
        <>
          <FilterBar
            label={t("settings.search")}
            text={q}
            onText={(next) => void navigate({ search: { q: next }, replace: true })}
          />
          <FileChoice accept="application/json,.json" onFile={(file) => void take(file)}>
            {(button) => (
              <Button {...button} leftSection={<Upload size={13} aria-hidden />}>
                {t("settings.import")}
              </Button>
            )}
          </FileChoice>
          <Button
            leftSection={<Download size={13} aria-hidden />}
            disabled={!data}
            onClick={() => saveText("hearth.config.json", "application/json", exportedFile(settings))}
          >
            {t("settings.export")}
          </Button>
        </>
      }
    >
      <div className={classes.columns}>
        <SettingsIndex
          sections={[
            ...groupSettings(visible).map(({ label }) => ({
              id: `settings-${label}`,
              label: t(`settings.group.${label}`),
            })),
            ...(wanted === undefined ? [{ id: "settings-keys", label: t("settings.keys.title") }] : []),
            ...(wanted === undefined && gpu && gpu.offered.length > 0
              ? [{ id: "settings-gpu", label: t("settings.gpu.title") }]
              : []),
            ...(wanted === undefined && desktop
              ? [{ id: "settings-desktop", label: t("settings.desktop.title") }]
              : []),
            ...(wanted === undefined ? [{ id: "settings-storage", label: t("settings.storage.title") }] : []),
          ]}
        />
        <div className={classes.page} ref={rows}>
          {data && (
            <p className={classes.file}>
              {t("settings.writtenTo")} <code>{data.file}</code>{" "}
              <CopyButton value={data.file} name={t("settings.file")} />
            </p>
          )}
          <QueryFailure query={query} />
          <PendingNotice settings={settings} />
          {data && visible.length === 0 && <p>{t("settings.noMatch")}</p>}
          {groupSettings(visible).map((group) => (
            <section key={group.label} aria-labelledby={`settings-${group.label}`} className={classes.group}>
              <h2 id={`settings-${group.label}`}>{t(`settings.group.${group.label}`)}</h2>
              {group.settings.map((setting) => (
                <SettingRow
                  key={setting.name}
                  setting={setting}
                  draft={drafts[setting.name]}
                  problem={problemOf(setting.name)}
                  onChange={(value) => setDrafts((before) => withDraft(before, setting.name, value))}
                />
              ))}
            </section>
          ))}
          {data && wanted === undefined && <KeysSection />}
          {data && wanted === undefined && <GpuSection />}
          {data && wanted === undefined && <DesktopSection />}
          {data && wanted === undefined && <StorageSection />}
          {changed > 0 && (
            <div
              className={classes.bar}
              data-lower-edge
              role="region"
              aria-label={t("settings.unsaved", { count: changed })}
            >
              <span>{t("settings.unsaved", { count: changed })}</span>
              {change.error && (
                <span className={classes.problem} role="alert">
                  {change.error.message}
                </span>
              )}
              <Button
                onClick={() => {
                  setDrafts({});
                  change.reset();
                }}
              >
                {t("common.discard")}
              </Button>
              <Button variant="filled" loading={change.isPending} onClick={() => save(drafts)}>
                {t("settings.save")}
              </Button>
            </div>
          )}
        </div>
      </div>
    </Page>
  );
}
