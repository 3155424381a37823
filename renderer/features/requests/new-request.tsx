import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { listUsers } from "../../../server/contract/console/console-users.ts";
import { sendRequest } from "../../../server/contract/console/traffic/request-endpoints.ts";
import { requestServiceSchema, type RequestService } from "../../../server/contract/console/traffic/requests.ts";
import { useApi } from "../../api/use-api.ts";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { emptyRequestDraft, newRequestOf, sessionOfDraft, withSession } from "./request-draft.ts";
import { RequestForm } from "./request-form.tsx";
import classes from "./requests.module.css";

const mostUsers = 200;

/** A new request to any service, as any user. */
export function NewRequestForm(props: { onSent: (id: number) => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const [service, setService] = useState<RequestService>("app");
  const users = useQuery({
    queryKey: ["request-users"],
    refetchOnMount: "always",
    queryFn: async ({ signal }) => (await call(listUsers, { query: { limit: mostUsers }, signal })).users,
  });
  const known = (users.data ?? []).flatMap(({ newest_session, person, nick_name, uid }) => {
    if (!newest_session) return [];
    const value = String(newest_session.id);
    return [{ value, label: `${person ?? nick_name ?? uid} · ${t("requests.only.session", { id: value })}` }];
  });
  /** A typed reference may be to any session. */
  const withTyped = (value: string | undefined) =>
    value === undefined || known.some((one) => one.value === value)
      ? known
      : [...known, { value, label: t("requests.only.session", { id: value }) }];
  return (
    <RequestForm
      {...props}
      label={t("requests.new")}
      initial={emptyRequestDraft}
      onSend={(draft, signal) => call(sendRequest, { body: newRequestOf(service, draft), signal })}
    >
      {(draft, set) => (
        <>
          <QueryFailure query={users} />
          <div className={classes.resendLine}>
            <NativeSelect
              className={classes.resendField}
              label={t("requests.service")}
              value={service}
              data={requestServiceSchema.options.map((value) => ({ value, label: t(`requests.services.${value}`) }))}
              onChange={({ currentTarget: { value } }) => {
                setService(requestServiceSchema.parse(value));
                if (value !== "app") set({ headers: withSession(draft, undefined) });
              }}
            />
            <NativeSelect
              className={classes.resendField}
              label={t("requests.signedIn")}
              disabled={service !== "app"}
              value={sessionOfDraft(draft) ?? ""}
              data={[{ value: "", label: t("requests.nobody") }, ...withTyped(sessionOfDraft(draft))]}
              onChange={({ currentTarget: { value } }) => set({ headers: withSession(draft, value || undefined) })}
            />
          </div>
        </>
      )}
    </RequestForm>
  );
}
