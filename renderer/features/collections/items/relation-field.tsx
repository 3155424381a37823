import { Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CollectionItem } from "../../../../server/contract/console/data/collection-endpoints.ts";
import type { InputProps } from "../../../ui/forms/schema-form.tsx";
import { useChoices, useItem } from "../use-collections.ts";
import classes from "../collections.module.css";

/** The name of an item: its first text. */
const labelOf = ({ id, data }: CollectionItem) => {
  const text = Object.values(data).find((value) => typeof value === "string" && value !== "");
  return typeof text === "string" ? `${id} · ${text.slice(0, 60)}` : String(id);
};

/** Chooses the item that a field refers to, by its id or by its text, and leads to it. */
export function RelationField({
  to,
  required,
  common,
  value,
  onChange,
}: InputProps & { to: string; required: boolean }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const id = typeof value === "number" || typeof value === "string" ? String(value) : undefined;
  const { data: current } = useItem(to, id);
  const label = current && labelOf(current);
  const { data: found = [], error } = useChoices(to, typed === label ? "" : typed);
  const items = current && !found.some((one) => one.id === current.id) ? [current, ...found] : found;
  return (
    <div className={classes.relation}>
      <Select
        {...common}
        error={common.error ?? error?.message}
        searchable
        clearable={!required}
        clearButtonProps={{ "aria-label": t("common.clear") }}
        value={id ?? null}
        data={items.map((item) => ({ value: String(item.id), label: labelOf(item) }))}
        onChange={(next) => onChange(items.find((item) => String(item.id) === next)?.id)}
        onSearchChange={setTyped}
        // The server has searched already.
        filter={({ options }) => options}
        nothingFoundMessage={t("collections.noMatch")}
        placeholder={t("collections.chooseOf", { name: to })}
      />
      {id !== undefined && (
        <Link to="/collections" search={{ collection: to, item: id }} className={classes.refer}>
          {`${to}/${id}`}
        </Link>
      )}
    </div>
  );
}
