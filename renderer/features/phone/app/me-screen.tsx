import { Button } from "@mantine/core";
import { ImageUp, MapPin, Phone as PhoneIcon, Settings, UserRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { FileChoice } from "../../../ui/forms/file-choice.tsx";
import { AppFailure } from "./app-failure.tsx";
import { askServer, askFor } from "./ask-server.ts";
import type { SimulatedPhone } from "../phone.ts";
import { usePhoneState } from "../use-phones.ts";
import { useTask } from "./use-task.ts";
import classes from "./app.module.css";

const phoneNumber = z.object({ country_code: z.string(), phone_number: z.string() });

interface Props {
  phone: SimulatedPhone;
  onSettings: () => void;
}

export function MeScreen({ phone, onSettings }: Props) {
  const { t } = useTranslation();
  const { status, nickName, avatar } = usePhoneState(phone);
  const [number, setNumber] = useState<string>();
  const task = useTask();
  const showNumber = () =>
    task.run(async () => {
      phone.tap("number");
      const { country_code, phone_number } = await askFor(phone, phoneNumber, ["GET", "/api/phonenumbers/mine"]);
      setNumber(`+${country_code} ${phone_number}`);
    });
  const upload = (picture: File) =>
    task.run(async () => {
      phone.tap("avatar");
      const form = new FormData();
      form.set("Avatar", picture);
      const { page } = await askServer(phone, z.object({ page: z.string() }), ["POST", "/api/avatars", form]);
      phone.setAvatar(page);
    });
  return (
    <section className={classes.screen} aria-labelledby="phone-me">
      <header className={classes.head}>
        <h2 id="phone-me">{t("phone.screens.me")}</h2>
      </header>
      <div className={classes.profile}>
        {avatar === undefined ? (
          <span className={classes.avatar}>
            <UserRound size={24} aria-hidden />
          </span>
        ) : (
          <img className={classes.avatar} src={avatar} alt={t("phone.avatar")} />
        )}
        <span>
          <strong>{nickName ?? phone.user}</strong>
          <span className={classes.dim}>{status?.uid ? `uid ${status.uid}` : t("phone.notLoggedIn")}</span>
        </span>
      </div>
      {task.failure && <AppFailure failure={task.failure} />}
      <ul className={classes.list}>
        <li className={classes.row}>
          <span className={classes.inline}>
            <PhoneIcon size={14} aria-hidden />
            {number ?? t("phone.myNumber")}
          </span>
          <Button disabled={task.busy} onClick={() => void showNumber()} aria-label={t("phone.showNumber")}>
            {t("phone.show")}
          </Button>
        </li>
        <li className={classes.row}>
          <span className={classes.inline}>
            <ImageUp size={14} aria-hidden />
            {t("phone.avatar")}
          </span>
          <FileChoice accept="image/png,image/jpeg,image/gif,image/webp" onFile={(file) => void upload(file)}>
            {(button) => (
              <Button {...button} disabled={task.busy} aria-label={t("phone.uploadAvatar")}>
                {t("phone.choose")}
              </Button>
            )}
          </FileChoice>
        </li>
        <li className={classes.row}>
          <LocationRow phone={phone} onSettings={onSettings} />
        </li>
        <li className={classes.row}>
          <span className={classes.inline}>
            <Settings size={14} aria-hidden />
            {t("phone.screens.settings")}
          </span>
          <Button onClick={onSettings} aria-label={t("phone.openSettings")}>
            {t("phone.openIt")}
          </Button>
        </li>
      </ul>
    </section>
  );
}

/** After a rejection the platform never prompts again: the app must lead to the settings (spec: Permission rules 5). */
function LocationRow({ phone, onSettings }: Props) {
  const { t } = useTranslation();
  const task = useTask();
  const [place, setPlace] = useState<"denied" | { latitude: number; longitude: number }>();
  const locate = () =>
    task.run(async () => {
      phone.tap("location");
      const { errMsg, latitude = 0, longitude = 0 } = await phone.getLocation();
      setPlace(errMsg === "getLocation:ok" ? { latitude, longitude } : "denied");
    });
  return (
    <>
      <span className={classes.inline}>
        <MapPin size={14} aria-hidden />
        {typeof place === "object"
          ? `${place.latitude.toFixed(4)}, ${place.longitude.toFixed(4)}`
          : t("phone.location")}
      </span>
      <Button disabled={task.busy} onClick={() => void locate()}>
        {t("phone.locate")}
      </Button>
      {task.failure && <AppFailure failure={task.failure} />}
      {place === "denied" && (
        <div className={classes.guide} role="alert">
          <p>{t("phone.locationGuide")}</p>
          <Button onClick={onSettings}>{t("phone.openSettings")}</Button>
        </div>
      )}
    </>
  );
}
