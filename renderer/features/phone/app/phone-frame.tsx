import { Flame, Gift, Newspaper, ShoppingBag, Signal, SignalLow, UserRound, WifiOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ArticlesScreen } from "./articles-screen.tsx";
import { MeScreen } from "./me-screen.tsx";
import type { SimulatedPhone } from "../phone.ts";
import type { Screen } from "../phone-search.ts";
import { PhoneSheet } from "./phone-sheet.tsx";
import { RaffleScreen } from "./raffle-screen.tsx";
import { SettingsScreen } from "./settings-screen.tsx";
import { ShopScreen } from "./shop-screen.tsx";
import { usePhoneState } from "../use-phones.ts";
import classes from "../phone.module.css";

const tabs = [
  ["articles", Newspaper],
  ["shop", ShoppingBag],
  ["raffle", Gift],
  ["me", UserRound],
] as const;
const signals = { good: Signal, slow: SignalLow, offline: WifiOff };

interface Props {
  phone: SimulatedPhone;
  screen: Screen;
  onScreen: (screen: Screen) => void;
}

export function PhoneFrame({ phone, screen, onScreen }: Props) {
  const { t } = useTranslation();
  const { opened, sheet, network } = usePhoneState(phone);
  const SignalIcon = signals[network];
  return (
    <section className={classes.phone} aria-label={t("phone.of", { user: phone.user })}>
      <div className={classes.bar}>
        <span>{phone.user}</span>
        <span className={classes.island} aria-hidden />
        <span className={classes.signal}>
          <SignalIcon size={13} role="img" aria-label={t(`phone.network.${network}`)} />
        </span>
      </div>
      <div className={classes.display} inert={sheet !== undefined}>
        {opened ? (
          <>
            <div className={classes.app} tabIndex={-1}>
              <AppScreen phone={phone} screen={screen} onScreen={onScreen} />
            </div>
            <nav className={classes.tabs} aria-label={t("phone.appTabs")}>
              {tabs.map(([name, Icon]) => (
                <button
                  key={name}
                  type="button"
                  aria-current={screen === name ? "page" : undefined}
                  onClick={() => onScreen(name)}
                >
                  <Icon size={17} aria-hidden />
                  {t(`phone.screens.${name}`)}
                </button>
              ))}
            </nav>
          </>
        ) : (
          <div className={classes.home}>
            <button type="button" className={classes.launcher} onClick={phone.open}>
              <span className={classes.icon}>
                <Flame size={30} aria-hidden />
              </span>
              {t("phone.openApp")}
            </button>
            <p>{t("phone.homeHint")}</p>
          </div>
        )}
      </div>
      {sheet && <PhoneSheet sheet={sheet} />}
    </section>
  );
}

function AppScreen({ phone, screen, onScreen }: Props) {
  switch (screen) {
    case "articles":
      return <ArticlesScreen phone={phone} />;
    case "shop":
      return <ShopScreen phone={phone} />;
    case "raffle":
      return <RaffleScreen phone={phone} />;
    case "me":
      return <MeScreen phone={phone} onSettings={() => onScreen("settings")} />;
    case "settings":
      return <SettingsScreen phone={phone} onBack={() => onScreen("me")} />;
  }
}
