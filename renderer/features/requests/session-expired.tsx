import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { getUser } from "../../../server/contract/console/console-users.ts";
import type { RecordedRequest } from "../../../server/contract/console/traffic/requests.ts";
import { nullIfGone } from "../../api/http/console-error.ts";
import { useApi } from "../../api/use-api.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import classes from "./requests.module.css";

/** Why a request with a known session was refused: the session had expired. */
export function SessionExpired({ request }: { request: RecordedRequest }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { call } = useApi();
  const { uid = "", session_id: id, time } = request;
  const { data } = useQuery({
    queryKey: ["request-session", uid, id],
    enabled: uid !== "" && id !== undefined,
    refetchOnMount: "always",
    queryFn: ({ signal }) => nullIfGone(call(getUser, { params: { id: Number(uid.slice(1)) }, signal })),
  });
  const session = data?.sessions.find((one) => one.id === id);
  if (!session || session.expires_at > time) return null;
  return (
    <Notice kind="info">
      {t("requests.sessionExpired", { id: session.id, time: formats.exact(session.expires_at) })}{" "}
      <Link to="/users" search={{ user: uid }} className={classes.link}>
        {t("requests.userOf", { uid })}
      </Link>
    </Notice>
  );
}
