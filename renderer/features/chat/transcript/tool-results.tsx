import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUnsaved } from "../../../api/address/use-unsaved.ts";
import type { ConversationCall, Turn } from "../conversations/conversation.ts";
import classes from "../chat.module.css";

/** Fields for the results of the model's calls, with which the model then continues. */
export function ToolResults({
  calls,
  onSend,
}: {
  calls: readonly ConversationCall[];
  onSend: (results: readonly Turn[]) => void;
}) {
  const { t } = useTranslation();
  const [results, setResults] = useState<readonly string[]>(calls.map(() => ""));
  useUnsaved(
    results.some((result) => result !== ""),
    ["conversation"],
  );
  return (
    <form
      className={classes.editForm}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(
          calls.map(({ id, name }, index) => ({
            role: "tool",
            content: results[index] ?? "",
            tool: name,
            ...(id !== undefined && { callId: id }),
          })),
        );
      }}
    >
      {calls.map(({ name }, index) => (
        <Textarea
          key={index}
          label={t("chat.resultOf", { name })}
          placeholder='{"ok": true}'
          autosize
          maxRows={8}
          value={results[index] ?? ""}
          classNames={{ input: classes.wire ?? "" }}
          onChange={(change) => setResults(results.with(index, change.currentTarget.value))}
        />
      ))}
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" disabled={results.some((result) => result.trim() === "")}>
          {t("chat.sendResults")}
        </Button>
      </div>
    </form>
  );
}
