import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import classes from "./lan-card.module.css";

const codeSize = 148;

/** The address for a phone on the same network, or how to allow access. */
export function LanCard({ addresses }: { addresses: readonly string[] }) {
  const { t } = useTranslation();
  const [first] = addresses;
  if (first === undefined)
    return (
      <p className={classes.hint}>
        {t("overview.lanClosed")} <Link to="/devices">{t("overview.lanDevices")}</Link>
      </p>
    );
  return (
    <div className={classes.open}>
      <QrCode value={first} label={t("overview.lanCode", { address: first })} size={codeSize} />
      <div>
        <p className={classes.hint}>{t("overview.lanOpen")}</p>
        <ul className={classes.addresses}>
          {addresses.map((address) => (
            <li key={address}>
              <code>{address}</code>
              <CopyButton value={address} name={address} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
