import { useTranslation } from "react-i18next";
import type { LanAccessView } from "../../../server/contract/console/machine/lan-access-endpoints.ts";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import classes from "./devices.module.css";

const codeSize = 168;

/** Where devices reach Hearth: the first address as a code to scan, and all in words. */
export function LanAddresses({ access: { listeners, certificate_url } }: { access: LanAccessView }) {
  const { t } = useTranslation();
  const first = listeners.find(({ url }) => url !== undefined)?.url;
  return (
    <section className={classes.group} aria-labelledby="devices-addresses">
      <h2 id="devices-addresses">{t("devices.addresses")}</h2>
      <div className={classes.open}>
        {first !== undefined && (
          <QrCode value={`${first}/`} label={t("devices.code", { address: first })} size={codeSize} />
        )}
        <div className={classes.reach}>
          {first !== undefined && <p className={classes.text}>{t("devices.scan")}</p>}
          <ul className={classes.list}>
            {listeners.map(({ service, url, problem }) => (
              <li key={service}>
                <span className={classes.dim}>{t(`devices.service.${service}`)}</span>
                {url === undefined ? <Notice kind="error">{problem}</Notice> : <Address url={url} />}
              </li>
            ))}
            {certificate_url !== undefined && (
              <li>
                <span className={classes.dim}>{t("devices.certificate")}</span>
                <Address url={certificate_url} />
              </li>
            )}
          </ul>
          {certificate_url !== undefined && <p className={classes.text}>{t("devices.certificateHint")}</p>}
          <p className={classes.text}>{t("devices.never")}</p>
        </div>
      </div>
    </section>
  );
}

const Address = ({ url }: { url: string }) => (
  <span className={classes.address}>
    <code>{url}</code>
    <CopyButton value={url} name={url} />
  </span>
);
