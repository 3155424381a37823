import { NativeSelect, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { unionIdMode, type UnionIdMode } from "../../../server/contract/provider/provider.ts";
import type { SimPerson } from "../../../server/contract/provider/sim-people.ts";
import { Fields } from "../../ui/forms/fields.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { ShortId } from "../../ui/marks/short-id.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { useAllowances } from "./use-users.ts";
import { useUserActions, type GrantedPermission } from "./use-user-actions.ts";
import classes from "./users.module.css";

const permissions: readonly GrantedPermission[] = ["userInfo", "phoneNumber", "location"];

/** The person at the simulated platform: permissions for the app, and standing with the platform. */
export function PersonSection({ person }: { person: SimPerson }) {
  const { t } = useTranslation();
  const actions = useUserActions();
  const flags = [
    ["blocked", t("users.blocked")],
    ["follows_account", t("users.followsAccount")],
    ["uses_other_app", t("users.usesOtherApp")],
  ] as const;
  return (
    <>
      <section>
        <h3>{t("users.allowances")}</h3>
        <Allowances person={person.name} />
      </section>
      <section className={classes.person}>
        <h3>{t("users.person", { name: person.name })}</h3>
        <Fields
          items={[
            { name: "openid", value: <ShortId value={person.openid} name="openid" /> },
            { name: "unionid", value: <ShortId value={person.unionid} name="unionid" /> },
            { name: t("users.knows.phone"), value: `+${person.country_code} ${person.phone_number}`, wire: true },
          ]}
        />
        <NativeSelect
          label={t("users.unionIdMode")}
          description={t(`users.unionIdModes.${person.unionid_mode}`)}
          value={person.unionid_mode}
          data={[...unionIdMode.options]}
          onChange={(change) =>
            void actions.changePerson(person, { unionid_mode: change.currentTarget.value as UnionIdMode })
          }
        />
        {flags.map(([name, label]) => (
          <Switch
            key={name}
            label={label}
            checked={person[name]}
            onChange={(change) => void actions.changePerson(person, { [name]: change.currentTarget.checked })}
          />
        ))}
      </section>
    </>
  );
}

const answers = { allowed: true, denied: false, notAsked: null } as const;
type Answer = keyof typeof answers;
const answerOf = (allowed: boolean | null): Answer => (allowed === null ? "notAsked" : allowed ? "allowed" : "denied");

function Allowances({ person }: { person: string }) {
  const { t } = useTranslation();
  const allowances = useAllowances(person);
  const actions = useUserActions();
  return (
    <>
      <QueryFailure query={allowances} />
      <div className={classes.allowances}>
        {allowances.data &&
          permissions.map((permission) => (
            <div key={permission}>
              <span>{t(`users.permission.${permission}`)}</span>
              <Segmented
                label={t(`users.permission.${permission}`)}
                value={answerOf(allowances.data[permission])}
                choices={(Object.keys(answers) as Answer[]).map((value) => ({
                  value,
                  label: t(`users.answer.${value}`),
                }))}
                onChange={(answer) => void actions.allow(person, permission, answers[answer])}
              />
            </div>
          ))}
      </div>
    </>
  );
}
