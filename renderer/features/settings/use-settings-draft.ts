import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConsoleError, messageOfError } from "../../api/http/console-error.ts";
import { useUnsaved } from "../../api/address/use-unsaved.ts";
import { useToast } from "../../ui/dialogs/toast.ts";
import { readText } from "../../ui/forms/read-text.ts";
import { importedValues } from "./configuration-file.ts";
import { useChangeSettings, type SettingValue } from "./use-settings.ts";

/** The unsaved inputs, by the names of the settings. */
type Drafts = Readonly<Record<string, SettingValue>>;

function withDraft(drafts: Drafts, name: string, value: SettingValue | undefined): Drafts {
  if (value !== undefined) return { ...drafts, [name]: value };
  return Object.fromEntries(Object.entries(drafts).filter(([other]) => other !== name));
}

/** The changes of settings until they are saved. `onRefused` receives the name of a setting whose value is refused. */
export function useSettingsDraft(onRefused: (name: string) => void) {
  const { t } = useTranslation();
  const toast = useToast();
  const change = useChangeSettings();
  const [drafts, setDrafts] = useState<Drafts>({});
  const { error, isPending, reset } = change;
  const refused = error instanceof ConsoleError ? error.field : undefined;
  const count = Object.keys(drafts).length;
  useUnsaved(count > 0);
  const save = () =>
    change.mutate(drafts, {
      onError: (problem) => {
        if (problem instanceof ConsoleError && problem.field !== undefined) onRefused(problem.field);
      },
      onSuccess: () => {
        // Inputs that were changed during the save stay.
        setDrafts((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== drafts[name])));
        toast.success(t("settings.saved"));
      },
    });
  const importFile = async (file: File) => {
    const text = await readText(file);
    if (text === undefined) return toast.error(t("failure.noText", { name: file.name }));
    try {
      const values = importedValues(text);
      setDrafts((before) => ({ ...before, ...values }));
    } catch (problem) {
      toast.error(t("settings.notAFile", { name: file.name, reason: messageOfError(problem) }));
    }
  };
  return {
    drafts,
    count,
    error,
    isPending,
    problemOf: (name: string) => (refused === name ? error?.message : undefined),
    set: (name: string, value: SettingValue | undefined) => setDrafts((before) => withDraft(before, name, value)),
    save,
    importFile,
    discard: () => {
      setDrafts({});
      reset();
    },
  };
}

export type SettingsDraft = ReturnType<typeof useSettingsDraft>;
