import { ActionIcon, TextInput } from "@mantine/core";
import { ListFilter, Search, X } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ShortcutKeys } from "../keyboard/keys.tsx";
import { useShortcut } from "../keyboard/shortcuts.ts";
import { useSettledText } from "./use-settled-text.ts";
import classes from "./filter-bar.module.css";

/**
 * A search field, which `/` focuses, with selects and switches; a narrow screen folds these behind a button. `text` is the
 * current search; `onText` receives the typed text after a pause in typing, and undefined for an empty one.
 */
export function FilterBar(props: {
  label: string;
  text: string | undefined;
  onText: (text: string | undefined) => void;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const [typed, setTyped] = useSettledText(props.text, props.onText);
  useShortcut("/", t("common.focusFilter"), () => {
    field.current?.focus();
    field.current?.select();
  });
  const clear = () => {
    setTyped("");
    field.current?.focus();
  };
  return (
    <div className={classes.bar} role="search" aria-label={props.label}>
      <TextInput
        ref={field}
        className={classes.search}
        aria-label={props.label}
        placeholder={props.label}
        value={typed}
        onChange={(change) => setTyped(change.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") field.current?.blur();
        }}
        leftSection={<Search size={13} aria-hidden />}
        rightSection={
          typed === "" ? (
            <span aria-hidden>
              <ShortcutKeys keys="/" />
            </span>
          ) : (
            <ActionIcon size={20} aria-label={t("common.clear")} onClick={clear}>
              <X size={12} aria-hidden />
            </ActionIcon>
          )
        }
      />
      {props.children && (
        <>
          <ActionIcon
            className={classes.fold}
            variant="default"
            size={30}
            aria-label={t("common.filters")}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <ListFilter size={14} aria-hidden />
          </ActionIcon>
          <div id={id} className={classes.others} data-open={isOpen}>
            {props.children}
          </div>
        </>
      )}
    </div>
  );
}
