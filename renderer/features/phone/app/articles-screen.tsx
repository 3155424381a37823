import { ActionIcon, Button, TextInput } from "@mantine/core";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { AppFailure } from "./app-failure.tsx";
import { AppWaiting } from "./app-waiting.tsx";
import { askFor } from "./ask-server.ts";
import type { SimulatedPhone } from "../phone.ts";
import { useAppQuery } from "./use-app-query.ts";
import { useTask } from "./use-task.ts";
import classes from "./app.module.css";

const article = z.object({ id: z.number(), title: z.string(), body: z.string() });

export function ArticlesScreen({ phone }: { phone: SimulatedPhone }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState("");
  const publishing = useTask();
  const articles = useAppQuery(phone, "articles", () =>
    askFor(phone, z.array(article), ["GET", "/api/articles?page_size=20"]),
  );
  const publish = () =>
    publishing.run(async () => {
      phone.tap("publish");
      await askFor(phone, article, ["POST", "/api/articles", { title, body: "" }]);
      setTitle("");
      await articles.refresh();
    });
  const failure = publishing.failure ?? articles.failure;
  return (
    <section className={classes.screen} aria-labelledby="phone-articles">
      <header className={classes.head}>
        <h2 id="phone-articles">{t("phone.screens.articles")}</h2>
        <ActionIcon aria-label={t("phone.reload")} loading={articles.loading} onClick={articles.reload}>
          <RefreshCw size={15} aria-hidden />
        </ActionIcon>
      </header>
      {failure && <AppFailure failure={failure} onRetry={publishing.failure ? undefined : articles.reload} />}
      {articles.data === undefined && articles.loading && <AppWaiting />}
      {articles.data && (
        <>
          <form
            className={classes.compose}
            onSubmit={(event) => {
              event.preventDefault();
              void publish();
            }}
          >
            <TextInput
              aria-label={t("phone.newArticle")}
              placeholder={t("phone.newArticle")}
              maxLength={200}
              value={title}
              onChange={(change) => setTitle(change.currentTarget.value)}
            />
            <Button type="submit" disabled={title.trim() === ""} loading={publishing.busy}>
              {t("phone.publish")}
            </Button>
          </form>
          {articles.data.length === 0 && <p className={classes.nothing}>{t("phone.noArticles")}</p>}
          <ul className={classes.list}>
            {articles.data.map(({ id, title, body }) => (
              <li key={id}>
                <strong>{title}</strong>
                {body !== "" && <span className={classes.dim}>{body}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
