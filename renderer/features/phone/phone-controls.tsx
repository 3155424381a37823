import { Autocomplete, Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Eraser } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { simUserName } from "../../../server/contract/provider/provider.ts";
import { listSimPeople } from "../../../server/contract/provider/sim-people.ts";
import { useApi } from "../../api/use-api.ts";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { spellings, type Spelling } from "../../../server/contract/mini-program/header-spelling.ts";
import type { SimulatedPhone } from "./phone.ts";
import { usePhoneState } from "./use-phones.ts";
import classes from "./phone.module.css";

/** The phone's person, and the conditions of its network and platform. */
export function PhoneControls({ phone, onUser }: { phone: SimulatedPhone; onUser: (user: string) => void }) {
  const { t } = useTranslation();
  const { entries, network, spelling } = usePhoneState(phone);
  return (
    <>
      <PersonField key={phone.user} user={phone.user} onUser={onUser} />
      <NativeSelect
        className={classes.spelling}
        aria-label={t("phone.spelling")}
        title={t("phone.spellingHint")}
        value={spelling}
        data={[...spellings]}
        onChange={(change) => phone.setSpelling(change.currentTarget.value as Spelling)}
      />
      <Segmented
        label={t("phone.networkLabel")}
        value={network}
        choices={(["good", "slow", "offline"] as const).map((value) => ({ value, label: t(`phone.network.${value}`) }))}
        onChange={phone.setNetwork}
      />
      <Button
        leftSection={<Eraser size={13} aria-hidden />}
        disabled={entries.length === 0}
        onClick={phone.clearEntries}
      >
        {t("phone.clear")}
      </Button>
    </>
  );
}

/** The first call creates an unknown person at the simulator. */
function PersonField({ user, onUser }: { user: string; onUser: (user: string) => void }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const [name, setName] = useState(user);
  const { data: people = [] } = useQuery({
    queryKey: ["phone-people"],
    staleTime: 0,
    queryFn: () => call(listSimPeople),
  });
  const parsed = simUserName.safeParse(name);
  const take = () => {
    if (parsed.success && name !== user) onUser(name);
  };
  return (
    <form
      className={classes.person}
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <Autocomplete
        size="xs"
        aria-label={t("phone.user")}
        title={t("phone.userHint")}
        data={people.map((person) => person.name)}
        value={name}
        error={!parsed.success}
        onChange={setName}
        onOptionSubmit={onUser}
        onBlur={take}
      />
    </form>
  );
}
