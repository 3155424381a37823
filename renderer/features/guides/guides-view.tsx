import { NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { loadGuides } from "./guide-files.ts";
import { GuideText } from "./guide-text.tsx";
import { searchGuides, type GuideHit } from "./search-guides.ts";
import classes from "./guides.module.css";

type Open = (guide: string, section?: string) => void;

/** The guides: their list with a search beside the open one. */
export function GuidesView(props: { open: string | undefined; section: string | undefined; onOpen: Open }) {
  const { t, i18n } = useTranslation();
  const [query, setQuery] = useState("");
  const language = i18n.language === "zh" ? "zh" : "en";
  const { data: guides = [], error } = useQuery({
    queryKey: ["guides", language],
    queryFn: () => loadGuides(language),
  });
  const guide = guides.find(({ name }) => name === props.open) ?? guides[0];
  const searching = query.trim() !== "";
  return (
    <div className={classes.frame}>
      <nav className={classes.side} aria-label={t("guides.title")}>
        <TextInput
          type="search"
          aria-label={t("guides.search")}
          placeholder={t("guides.search")}
          leftSection={<Search size={13} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        {searching ? (
          <Hits hits={searchGuides(guides, query)} onOpen={props.onOpen} />
        ) : (
          <>
            <NativeSelect
              className={classes.choice}
              aria-label={t("guides.title")}
              value={guide?.name ?? ""}
              data={guides.map(({ name, title }) => ({ value: name, label: title }))}
              onChange={(event) => props.onOpen(event.currentTarget.value)}
            />
            <ul className={classes.list}>
              {guides.map(({ name, title }) => (
                <li key={name}>
                  <button
                    type="button"
                    className={classes.entry}
                    aria-current={name === guide?.name ? "page" : undefined}
                    onClick={() => props.onOpen(name)}
                  >
                    {title}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </nav>
      {error && <Notice kind="error">{error.message}</Notice>}
      {guide && (
        <GuideText
          key={`${language}/${guide.name}`}
          guide={guide}
          names={guides.map(({ name }) => name)}
          section={props.section}
          onOpen={props.onOpen}
        />
      )}
    </div>
  );
}

function Hits({ hits, onOpen }: { hits: readonly GuideHit[]; onOpen: Open }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes.count} role="status">
        {t("guides.hits", { count: hits.length })}
      </p>
      <ul className={classes.list} data-hits>
        {hits.map(({ guide, section, excerpt: [before, word, after] }) => (
          <li key={`${guide.name}#${section.anchor ?? ""}`}>
            <button type="button" className={classes.entry} onClick={() => onOpen(guide.name, section.anchor)}>
              <span className={classes.where}>{guide.title}</span>
              {section.heading !== guide.title && <strong>{section.heading}</strong>}
              <span className={classes.excerpt}>
                {before}
                <mark>{word}</mark>
                {after}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
