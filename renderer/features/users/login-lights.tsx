import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ConsoleSession, ConsoleUser } from "../../../server/contract/console/console-users.ts";
import { useTicking } from "../../ui/marks/ticker.ts";
import { loginLights, type Light, type LightName } from "./login-states.ts";
import classes from "./users.module.css";

const icons = { on: CircleCheck, asked: CircleAlert, off: CircleDashed };

interface Props {
  user: ConsoleUser | undefined;
  session: ConsoleSession | undefined;
  /** The difference between the server's clock and this one, in ms. */
  ahead: number;
  /** Only the lights; their meaning is in a tooltip. */
  compact?: boolean;
}

/** The state of a login as three lights, in the order in which the server asks for them: token, user info, phone. */
export function LoginLights({ user, session, ahead, compact = false }: Props) {
  const { t } = useTranslation();
  const now = useTicking((at) => String(session !== undefined && Date.parse(session.expires_at) <= at + ahead));
  const lights = Object.entries(loginLights(user, session, now === "true")) as [LightName, Light][];
  return (
    <ul className={classes.lights} data-compact={compact} aria-label={t("users.login")}>
      {lights.map(([name, light]) => {
        const Icon = icons[light];
        const text = t(`users.light.${name}.${light}`);
        return (
          <li key={name} className={classes.light} data-light={light} title={compact ? text : undefined}>
            <Icon size={compact ? 14 : 18} aria-hidden />
            {compact ? (
              <span className={classes.unseen}>{text}</span>
            ) : (
              <span>
                <strong>{t(`users.light.${name}.name`)}</strong>
                <span className={classes.dim}>{text}</span>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
