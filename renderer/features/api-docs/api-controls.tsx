import { Autocomplete, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { consolePerson } from "../../../server/contract/provider/internal-people.ts";
import { listSimPeople } from "../../../server/contract/provider/sim-people.ts";
import { appOrigin } from "../../api/http/app-origin.ts";
import { useApi } from "../../api/use-api.ts";
import type { SignIn } from "./use-sign-in.ts";
import classes from "./api-docs.module.css";

/** Chooses whose session tried operations use, and leads to the description itself. */
export function ApiControls({ user, setUser, token, error }: SignIn) {
  const { t, i18n } = useTranslation();
  const { call } = useApi();
  const [typed, setTyped] = useState(user);
  const people = useQuery({
    queryKey: ["sim-people"],
    refetchOnMount: "always",
    queryFn: async ({ signal }) => (await call(listSimPeople, { signal })).map(({ name }) => name),
  });
  const choose = (name: string) => {
    const chosen = name.trim();
    setTyped(chosen === "" ? user : chosen);
    if (chosen !== "") setUser(chosen);
  };
  return (
    <>
      <form
        className={classes.signIn}
        onSubmit={(event) => {
          event.preventDefault();
          choose(typed);
        }}
      >
        <span role="status" className={classes.state} data-failed={error !== null}>
          {error?.message ?? (token === undefined ? "" : t("apiDocs.signedIn"))}
        </span>
        <Autocomplete
          size="xs"
          className={classes.user ?? ""}
          aria-label={t("apiDocs.user")}
          data={[...new Set([consolePerson, ...(people.data ?? [])])]}
          value={typed}
          onChange={setTyped}
          onOptionSubmit={choose}
          onBlur={() => setTyped(user)}
          comboboxProps={{ transitionProps: { duration: 100 } }}
        />
      </form>
      <Button component="a" href={`${appOrigin}/swagger/docs/v1`} target="_blank" rel="noreferrer">
        {t("apiDocs.description")}
      </Button>
      <Button
        component="a"
        href={`${appOrigin}/swagger?language=${i18n.language}`}
        target="_blank"
        rel="noreferrer"
        leftSection={<ExternalLink size={14} aria-hidden />}
      >
        {t("apiDocs.openAlone")}
      </Button>
    </>
  );
}
