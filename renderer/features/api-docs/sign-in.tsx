import { Autocomplete, Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { LogIn } from "lucide-react";
import { useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { createToken } from "../../../server/contract/console/console-endpoints.ts";
import { listSimPeople } from "../../../server/contract/provider/sim-people.ts";
import { useApi } from "../../api/use-api.ts";
import { useShowFailure } from "../../api/use-show-failure.ts";
import { useToast } from "../../ui/dialogs/toast.ts";
import classes from "./api-docs.module.css";

/** What the description page exposes on its window. */
interface DescriptionWindow {
  ui?: { preauthorizeApiKey(scheme: string, value: string): void };
}

/** Logs a simulated user in, and lets the description page send that session's token with tried operations. */
export function SignIn({ frame }: { frame: RefObject<HTMLIFrameElement | null> }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const toast = useToast();
  const showFailure = useShowFailure();
  const [user, setUser] = useState("console");
  const people = useQuery({
    queryKey: ["sim-people"],
    refetchOnMount: "always",
    queryFn: async ({ signal }) => (await call(listSimPeople, { signal })).map(({ name }) => name),
  });
  const signIn = useMutation({
    mutationFn: () => call(createToken, { body: { user: user.trim() } }),
    onSuccess: ({ access_token }) => {
      (frame.current?.contentWindow as DescriptionWindow | null)?.ui?.preauthorizeApiKey("sessionToken", access_token);
      toast.success(t("apiDocs.signedIn", { user: user.trim() }));
    },
    onError: showFailure,
  });
  return (
    <form
      className={classes.signIn}
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate();
      }}
    >
      <Autocomplete
        size="xs"
        className={classes.user ?? ""}
        aria-label={t("apiDocs.user")}
        data={[...new Set(["console", ...(people.data ?? [])])]}
        value={user}
        onChange={setUser}
        comboboxProps={{ transitionProps: { duration: 100 } }}
      />
      <Button
        type="submit"
        leftSection={<LogIn size={13} aria-hidden />}
        loading={signIn.isPending}
        disabled={user.trim() === ""}
      >
        {t("apiDocs.signIn")}
      </Button>
    </form>
  );
}
