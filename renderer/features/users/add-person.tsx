import { Button, Popover, TextInput } from "@mantine/core";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { simUserName } from "../../../server/contract/provider/provider.ts";
import { useUserActions } from "./use-user-actions.ts";
import classes from "./users.module.css";

/** Adds a person at the simulated platform; all data derives from the name. */
export function AddPerson({ onAdded }: { onAdded: (name: string) => void }) {
  const { t } = useTranslation();
  const actions = useUserActions();
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState("");
  const parsed = simUserName.safeParse(name);
  const add = async () => {
    const added = await actions.addPerson(name);
    if (!added) return;
    setOpened(false);
    setName("");
    onAdded(added.name);
  };
  return (
    <Popover position="bottom-end" width={280} trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Button leftSection={<UserPlus size={13} aria-hidden />} onClick={() => setOpened(!opened)}>
          {t("users.add")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className={classes.popover}
          onSubmit={(event) => {
            event.preventDefault();
            if (parsed.success) void add();
          }}
        >
          <TextInput
            label={t("users.personName")}
            description={t("users.nameRule")}
            placeholder="grace"
            value={name}
            error={name !== "" && !parsed.success && t("users.nameRule")}
            onChange={(change) => setName(change.currentTarget.value)}
          />
          <Button type="submit" variant="filled" disabled={!parsed.success}>
            {t("users.add")}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
