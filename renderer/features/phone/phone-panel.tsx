import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { simUserName } from "../../../server/contract/provider/provider.ts";
import { usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { Page } from "../../ui/page.tsx";
import { Messages } from "./platform/messages.tsx";
import { ScanCode } from "./platform/scan-code.tsx";
import { Wallet } from "./platform/wallet.tsx";
import { PhoneControls } from "./phone-controls.tsx";
import { PhoneFrame } from "./app/phone-frame.tsx";
import { createSimulatedPhone, type SimulatedPhone } from "./phone.ts";
import { usePhones } from "./use-phones.ts";
import { PhoneSequence } from "./sequence.tsx";
import { StatusStrip } from "./status-strip.tsx";
import classes from "./phone.module.css";

const route = getRouteApi("/phone");
const somebody = "ada";

/** A client in a simulated phone, with its calls beside it. */
export function PhonePanel() {
  const { t } = useTranslation();
  const { user, screen } = route.useSearch();
  const navigate = usePageNavigate(route);
  const phone = usePhoneOf(simUserName.safeParse(user).data ?? somebody);
  return (
    <Page
      title={t("phone.title")}
      fill
      controls={<PhoneControls phone={phone} onUser={(user) => void navigate({ search: { user } })} />}
    >
      <div className={classes.frame} key={phone.user}>
        <div className={classes.stand}>
          <PhoneFrame
            phone={phone}
            screen={screen ?? "articles"}
            onScreen={(screen) => void navigate({ search: (held) => ({ ...held, screen }), replace: true })}
          />
          <div className={classes.platform}>
            <ScanCode user={phone.user} />
            <Messages user={phone.user} />
            <Wallet user={phone.user} />
          </div>
        </div>
        <div className={classes.beside}>
          <StatusStrip phone={phone} />
          <PhoneSequence phone={phone} />
        </div>
      </div>
    </Page>
  );
}

/** A person has one phone, however often the page is opened. */
function usePhoneOf(user: string): SimulatedPhone {
  const { deps, made } = usePhones();
  const phone = made.get(user) ?? createSimulatedPhone(user, deps);
  made.set(user, phone);
  return phone;
}
