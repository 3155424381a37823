import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { NumberField } from "../../ui/forms/number-field.tsx";
import { isUsable } from "./conversations/chat-request.ts";
import type { ChatSettings } from "./conversations/conversation.ts";
import classes from "./chat.module.css";

/** The most used options, with the step of their field; names as on the wire. */
const options = {
  temperature: 0.1,
  top_p: 0.05,
  top_k: 1,
  min_p: 0.05,
  repeat_penalty: 0.05,
  seed: 1,
  num_ctx: 1024,
  num_predict: 64,
} as const;

/** The settings of the conversation's requests. An empty field leaves the value to the model. */
export function SettingsForm(props: { settings: ChatSettings; onChange: (settings: ChatSettings) => void }) {
  const { t } = useTranslation();
  const { settings, onChange } = props;
  const set = (change: Partial<ChatSettings>) => onChange({ ...settings, ...change });
  const setOption = (name: string, value: number | undefined) => {
    const others = Object.entries(settings.options).filter(([other]) => other !== name);
    set({ options: Object.fromEntries(value === undefined ? others : [...others, [name, value]]) });
  };
  const thinks = settings.think === undefined ? "default" : settings.think ? "yes" : "no";
  return (
    <div className={classes.settings}>
      <Textarea
        label={t("chat.system")}
        placeholder={t("chat.systemHint")}
        autosize
        minRows={2}
        maxRows={10}
        value={settings.system}
        onChange={(change) => set({ system: change.currentTarget.value })}
      />
      <fieldset className={classes.options}>
        <legend>{t("chat.options")}</legend>
        {Object.entries(options).map(([name, step]) => (
          <NumberField
            key={name}
            label={name}
            placeholder={t("chat.asModel")}
            step={step}
            allowDecimal={step < 1}
            value={settings.options[name]}
            onChange={(value) => setOption(name, value)}
          />
        ))}
        <TextInput
          label="keep_alive"
          placeholder="5m"
          value={settings.keepAlive}
          onChange={(change) => set({ keepAlive: change.currentTarget.value.trim() })}
        />
        <NativeSelect
          label="think"
          value={thinks}
          data={[
            { value: "default", label: t("chat.asModel") },
            { value: "yes", label: "true" },
            { value: "no", label: "false" },
          ]}
          onChange={({ currentTarget: { value } }) => set({ think: value === "default" ? undefined : value === "yes" })}
        />
      </fieldset>
      {(["tools", "format"] as const).map((field) => (
        <section key={field} className={classes.json}>
          <h3>{t(`chat.${field}`)}</h3>
          <p className={classes.note}>{t(`chat.${field}Hint`)}</p>
          <CodeEditor
            value={settings[field]}
            onChange={(text) => set({ [field]: text })}
            language="json"
            label={t(`chat.${field}`)}
            invalid={!isUsable(field, settings[field])}
            maxHeight={220}
          />
          {!isUsable(field, settings[field]) && <Notice kind="error">{t(`chat.${field}Invalid`)}</Notice>}
          {settings[field] === "" && (
            <button type="button" className={classes.example} onClick={() => set({ [field]: examples[field] })}>
              {t("chat.example")}
            </button>
          )}
        </section>
      ))}
    </div>
  );
}

const examples = {
  tools: JSON.stringify(
    [
      {
        type: "function",
        function: {
          name: "get_weather",
          description: "The weather of a city, now",
          parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        },
      },
    ],
    null,
    2,
  ),
  format: JSON.stringify(
    { type: "object", properties: { answer: { type: "string" }, sure: { type: "boolean" } }, required: ["answer"] },
    null,
    2,
  ),
};
