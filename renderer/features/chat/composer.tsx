import { ActionIcon, Textarea, Tooltip } from "@mantine/core";
import { ArrowUp, Square } from "lucide-react";
import { useEffect, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import classes from "./chat.module.css";

/** The field for the question. Enter sends it; while an answer runs the button stops it. */
export function Composer(props: {
  model: string | undefined;
  streaming: boolean;
  /** The key of the typed text in `drafts`. */
  id: string;
  /** The typed texts, by conversation. They stay while another conversation or page is open. */
  drafts: Map<string, string>;
  onSend: (text: string) => void;
  onStop: () => void;
}) {
  const { t } = useTranslation();
  const { id, drafts } = props;
  const [{ of, text }, setTyped] = useState({ of: id, text: drafts.get(id) ?? "" });
  // Text that was typed before a conversation was open moves into the open one.
  if (of !== id) setTyped({ of: id, text: (of === "" && text) || (drafts.get(id) ?? "") });
  useEffect(() => {
    drafts.set(id, text);
    if (id !== "") drafts.delete("");
  }, [drafts, id, text]);
  const write = (next: string) => setTyped({ of: id, text: next });
  const ready = props.model !== undefined && text.trim() !== "" && !props.streaming;
  const send = () => {
    if (!ready) return;
    props.onSend(text.trim());
    write("");
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        aria-label={t("chat.input")}
        placeholder={t("chat.placeholder", { model: props.model ?? "…" })}
        description={t("chat.hint")}
        inputWrapperOrder={["input", "description"]}
        autosize
        minRows={2}
        maxRows={10}
        size="sm"
        value={text}
        onChange={(change) => write(change.currentTarget.value)}
        onKeyDown={press}
        rightSectionWidth={44}
        rightSection={
          <div className={classes.button}>
            {props.streaming ? (
              <Tooltip label={t("chat.stop")}>
                <ActionIcon variant="default" aria-label={t("chat.stop")} onClick={props.onStop}>
                  <Square size={12} fill="currentColor" aria-hidden />
                </ActionIcon>
              </Tooltip>
            ) : (
              <Tooltip label={t("chat.send")}>
                <ActionIcon variant="filled" color="ember" type="submit" aria-label={t("chat.send")} disabled={!ready}>
                  <ArrowUp size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
          </div>
        }
      />
    </form>
  );
}
