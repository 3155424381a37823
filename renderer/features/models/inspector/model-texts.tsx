import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Show } from "../../../../server/contract/model/ollama.ts";
import { BodyView } from "../../../ui/code/body-view.tsx";

const names = ["system", "template", "parameters", "license", "modelfile", "info"] as const;
type Name = (typeof names)[number];

function textOf(visible: Show, name: Name): string | undefined {
  return name === "info" ? JSON.stringify(visible.model_info, null, 2) : visible[name];
}

/** The texts of a model, one at a time; missing ones are omitted. */
export function ModelTextsView({ shown: displayed }: { shown: Show }) {
  const { t } = useTranslation();
  const there = names.filter((name) => (textOf(displayed, name) ?? "") !== "");
  return (
    <Tabs defaultValue={there[0] ?? null}>
      <Tabs.List aria-label={t("models.texts")}>
        {there.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`models.tabs.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {there.map((name) => (
        <Tabs.Panel key={name} value={name} pt={10}>
          <BodyView
            text={textOf(displayed, name) ?? ""}
            mediaType={name === "info" ? "application/json" : "text/plain"}
            label={t(`models.tabs.${name}`)}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
