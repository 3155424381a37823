import { ActionIcon, Button, Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { changeSimAllowances, getSimAllowances } from "../../../../server/contract/provider/sim-people.ts";
import { useApi } from "../../../api/use-api.ts";
import { useShowFailure } from "../../../api/actions/use-show-failure.ts";
import { useConfirm } from "../../../ui/dialogs/confirm.tsx";
import { AppFailure } from "./app-failure.tsx";
import { failureOf } from "./ask-server.ts";
import type { SimulatedPhone } from "../phone.ts";
import type { Permission } from "../phone-state.ts";
import classes from "./app.module.css";

/** The platform's name of each permission; it has none for the phone number. */
const permissions = [
  ["userInfo", "scope.userInfo"],
  ["phoneNumber", undefined],
  ["location", "scope.userLocation"],
] as const;

/** The platform's own page for the app: the permissions asked for, and the answers. */
export function SettingsScreen({ phone, onBack }: { phone: SimulatedPhone; onBack: () => void }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const showFailure = useShowFailure();
  const params = { name: phone.user };
  const queryKey = ["phone", phone.user, "allowances"];
  const allowances = useQuery({ queryKey, staleTime: 0, queryFn: () => call(getSimAllowances, { params }) });
  const { data, error } = allowances;
  const change = async (permission: Permission, allowed: boolean) => {
    try {
      queries.setQueryData(queryKey, await call(changeSimAllowances, { params, body: { [permission]: allowed } }));
    } catch (error) {
      showFailure(error);
    }
  };
  const remove = async () => {
    const { user } = phone;
    const words = { title: t("phone.remove"), text: t("phone.removeText", { user }), action: t("phone.remove") };
    if (!(await confirm({ ...words, danger: true }))) return;
    try {
      await phone.removeApp();
    } catch (error) {
      showFailure(error);
      return;
    }
    queries.removeQueries({ queryKey: ["phone", user] });
    onBack();
  };
  const asked = permissions.filter(([permission]) => data && data[permission] !== null);
  return (
    <section className={classes.screen} aria-labelledby="phone-settings">
      <header className={classes.head}>
        <ActionIcon aria-label={t("phone.back")} onClick={onBack}>
          <ChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <h2 id="phone-settings">{t("phone.screens.settings")}</h2>
      </header>
      {error && <AppFailure failure={failureOf(error)} onRetry={() => void allowances.refetch()} />}
      {data && asked.length === 0 && <p className={classes.nothing}>{t("phone.nothingAsked")}</p>}
      <ul className={classes.list}>
        {asked.map(([permission, scope]) => (
          <li key={permission} className={classes.row}>
            <span>
              {t(`phone.permission.${permission}`)}
              {scope !== undefined && <code className={classes.dim}>{scope}</code>}
            </span>
            <Switch
              aria-label={t(`phone.permission.${permission}`)}
              checked={data?.[permission] === true}
              onChange={(toggle) => void change(permission, toggle.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
      <Button color="red" variant="light" onClick={() => void remove()}>
        {t("phone.remove")}
      </Button>
    </section>
  );
}
