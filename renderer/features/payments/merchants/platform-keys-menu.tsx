import { Button, NativeSelect, Popover } from "@mantine/core";
import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { simPlatformKeysSchema, type SimPlatformKeys } from "../../../../server/contract/provider/provider-keys.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { useChangePlatformKeys, useMerchants } from "./use-platform-keys.ts";
import classes from "./platform-keys-menu.module.css";

/** The platform's own shares, one a day. */
const shares = [0.1, 1, 5, 10, 20, 50, 100];

/** The keys by which the simulated platform signs for each merchant. */
export function PlatformKeysMenu() {
  const { t } = useTranslation();
  const query = useMerchants();
  return (
    <Popover position="bottom-end" width={320} trapFocus>
      <Popover.Target>
        <Button leftSection={<KeyRound size={13} aria-hidden />}>{t("payments.platformKeys.title")}</Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        <p className={classes.text}>{t("payments.platformKeys.text")}</p>
        <QueryFailure query={query} />
        {query.data?.map(({ mch_id, platform_keys }) => (
          <MerchantKeys key={mch_id} mchId={mch_id} keys={platform_keys} />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}

function MerchantKeys({ mchId, keys }: { mchId: string; keys: SimPlatformKeys }) {
  const { t } = useTranslation();
  const change = useChangePlatformKeys(mchId);
  const { mode, public_key_share: share } = change.isPending ? change.variables : keys;
  return (
    <>
      <NativeSelect
        label={t("payments.platformKeys.of", { merchant: mchId })}
        value={mode}
        data={simPlatformKeysSchema.shape.mode.options.map((value) => ({
          value,
          label: t(`payments.platformKeys.mode.${value}`),
        }))}
        onChange={({ currentTarget: { value } }) =>
          change.mutate({ mode: value as SimPlatformKeys["mode"], public_key_share: share })
        }
      />
      {mode === "switching" && (
        <NativeSelect
          label={t("payments.platformKeys.share")}
          value={String(share)}
          data={[...new Set([...shares, share])]
            .toSorted((a, b) => a - b)
            .map((value) => ({
              value: String(value),
              label: `${String(value)} %`,
            }))}
          onChange={({ currentTarget: { value } }) => change.mutate({ mode, public_key_share: Number(value) })}
        />
      )}
      {change.error && <Notice kind="error">{t("failure.withReason", { reason: change.error.message })}</Notice>}
    </>
  );
}
