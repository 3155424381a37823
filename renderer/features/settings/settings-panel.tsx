import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Download, Upload } from "lucide-react";
import { useEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { SettingView } from "../../../server/contract/console/setting-endpoints.ts";
import { useDesktop } from "../../api/desktop/use-desktop.ts";
import { useGpuEngine } from "../../api/queries/use-gpu-engine.ts";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { FileChoice } from "../../ui/forms/file-choice.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { saveText } from "../../ui/code/save-text.ts";
import { usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { BrowsersSection } from "./browsers-section.tsx";
import { exportedFile } from "./configuration-file.ts";
import { DesktopSection } from "./desktop-section.tsx";
import { findSettings } from "./find-settings.ts";
import { GpuSection } from "./gpu-section.tsx";
import { KeysSection } from "./keys-section.tsx";
import { groupSettings } from "./setting-groups.ts";
import { PendingNotice } from "./pending-notice.tsx";
import { nameOf, SettingRow } from "./setting-row.tsx";
import { SettingsIndex } from "./settings-index.tsx";
import { StorageSection } from "./storage-section.tsx";
import { useSettings } from "./use-settings.ts";
import { useSettingsDraft, type SettingsDraft } from "./use-settings-draft.ts";
import classes from "./settings.module.css";

const route = getRouteApi("/settings");

/** All settings of Hearth. Changes are saved to the configuration file together, or not at all. */
export function SettingsPanel() {
  const { t } = useTranslation();
  const { q } = route.useSearch();
  const query = useSettings();
  const { data } = query;
  const settings = data?.settings ?? [];
  const visible = q === undefined ? settings : findSettings(settings, q, (name) => nameOf(t, name));
  const rows = useRef<HTMLDivElement>(null);
  const setRefused = useFocusRefused(rows, q);
  const draft = useSettingsDraft((name) => {
    if (settings.some((setting) => setting.name === name)) setRefused(name);
  });
  return (
    <Page title={t("settings.title")} controls={<Controls q={q} settings={data?.settings} draft={draft} />}>
      <div className={classes.columns}>
        <Index settings={visible} isSearch={q !== undefined} />
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
          <Groups settings={visible} draft={draft} />
          {data && q === undefined && (
            <>
              <BrowsersSection />
              <KeysSection />
              <GpuSection />
              <DesktopSection />
              <StorageSection />
            </>
          )}
          <UnsavedBar draft={draft} />
        </div>
      </div>
    </Page>
  );
}

/** Returns a function that moves the focus to the field of a refused setting; a search that hides the field is cleared. */
function useFocusRefused(rows: RefObject<HTMLDivElement | null>, q: string | undefined) {
  const navigate = usePageNavigate(route);
  const [refused, setRefused] = useState<string>();
  useEffect(() => {
    if (refused === undefined) return;
    const field = rows.current?.querySelector<HTMLElement>(`[data-setting="${refused}"] input`);
    if (!field) return void navigate({ search: {}, replace: true });
    field.scrollIntoView({ block: "center" });
    field.focus({ preventScroll: true });
    // oxlint-disable-next-line react/set-state-in-effect -- the field is focused once, after it is rendered
    setRefused(undefined);
  }, [rows, refused, q, navigate]);
  return setRefused;
}

/** Searches, imports and exports settings. */
function Controls(props: {
  q: string | undefined;
  settings: readonly SettingView[] | undefined;
  draft: SettingsDraft;
}) {
  const { t } = useTranslation();
  const navigate = usePageNavigate(route);
  const { settings } = props;
  return (
    <>
      <FilterBar
        label={t("settings.search")}
        text={props.q}
        onText={(q) => void navigate({ search: { q }, replace: true })}
      />
      <FileChoice accept="application/json,.json" onFile={(file) => void props.draft.importFile(file)}>
        {(button) => (
          <Button {...button} leftSection={<Upload size={13} aria-hidden />}>
            {t("settings.import")}
          </Button>
        )}
      </FileChoice>
      <Button
        leftSection={<Download size={13} aria-hidden />}
        disabled={!settings}
        onClick={() => settings && saveText("hearth.config.json", "application/json", exportedFile(settings))}
      >
        {t("settings.export")}
      </Button>
    </>
  );
}

function Index({ settings, isSearch }: { settings: readonly SettingView[]; isSearch: boolean }) {
  const { t } = useTranslation();
  const { data: desktop } = useDesktop();
  const { data: gpu } = useGpuEngine();
  const groups = groupSettings(settings).map(({ label }) => ({
    id: `settings-${label}`,
    label: t(`settings.group.${label}`),
  }));
  const others = [
    { id: "settings-browsers", label: t("settings.browsers.title") },
    { id: "settings-keys", label: t("settings.keys.title") },
    ...(gpu && gpu.offered.length > 0 ? [{ id: "settings-gpu", label: t("settings.gpu.title") }] : []),
    ...(desktop ? [{ id: "settings-desktop", label: t("settings.desktop.title") }] : []),
    { id: "settings-storage", label: t("settings.storage.title") },
  ];
  return <SettingsIndex sections={isSearch ? groups : [...groups, ...others]} />;
}

function Groups({ settings, draft }: { settings: readonly SettingView[]; draft: SettingsDraft }) {
  const { t } = useTranslation();
  return groupSettings(settings).map((group) => (
    <section key={group.label} aria-labelledby={`settings-${group.label}`} className={classes.group}>
      <h2 id={`settings-${group.label}`}>{t(`settings.group.${group.label}`)}</h2>
      {group.settings.map((setting) => (
        <SettingRow
          key={setting.name}
          setting={setting}
          draft={draft.drafts[setting.name]}
          problem={draft.problemOf(setting.name)}
          onChange={(value) => draft.set(setting.name, value)}
        />
      ))}
    </section>
  ));
}

/** Saves or discards the changes. */
function UnsavedBar({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  if (draft.count === 0) return null;
  const text = t("settings.unsaved", { count: draft.count });
  return (
    <div className={classes.bar} data-lower-edge role="region" aria-label={text}>
      <span>{text}</span>
      {draft.error && (
        <span className={classes.problem} role="alert">
          {draft.error.message}
        </span>
      )}
      <Button onClick={draft.discard}>{t("common.discard")}</Button>
      <Button variant="filled" loading={draft.isPending} onClick={draft.save}>
        {t("settings.save")}
      </Button>
    </div>
  );
}
