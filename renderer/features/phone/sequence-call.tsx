import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import { StatusCode } from "../../ui/marks/status-code.tsx";
import { CallDetails } from "./call-details.tsx";
import type { BackCall, PhoneCall } from "./phone-state.ts";
import classes from "./sequence.module.css";

/** A call as an arrow there, the server's own calls behind it, and an arrow back; a click shows the details. */
export function SequenceCall({ call }: { call: PhoneCall }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const { to, name, method, path, status, failure, next, errMsg, ms, behind = [] } = call;
  const waiting = status === undefined && failure === undefined;
  return (
    <div className={classes.call} data-open={open}>
      <button
        type="button"
        className={classes.summary}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        title={`${method} ${path}`}
      >
        <ChevronRight size={12} className={classes.chevron} aria-hidden />
        <span className={classes.arrow} data-to={to} data-lost={status === undefined && failure !== undefined}>
          <span className={classes.label}>
            {name === undefined ? (
              <>
                <b>{method}</b> {path}
              </>
            ) : (
              <>
                <b>{name}</b> <span className={classes.dim}>{path}</span>
              </>
            )}
          </span>
        </span>
        {behind.map((one) => (
          <BackArrows key={one.id} call={one} />
        ))}
        <span className={classes.arrow} data-to={to} data-back data-lost={status === undefined}>
          <span className={classes.label}>
            {waiting ? (
              <span className={classes.dim}>{t("phone.underWay")}</span>
            ) : failure !== undefined ? (
              <span className={classes.failed}>{failure}</span>
            ) : (
              <>
                {to === "app" && <StatusCode status={status} />}
                {errMsg !== undefined && <span data-ok={errMsg.endsWith(":ok")}>{errMsg}</span>}
                {next !== undefined && <b className={classes.next}>{t("phone.next", { step: next })}</b>}
              </>
            )}
            {ms !== undefined && <span className={classes.dim}>{formats.duration(ms)}</span>}
          </span>
        </span>
      </button>
      {open && <CallDetails call={call} />}
    </div>
  );
}

function BackArrows({ call: { method, path, status, ms } }: { call: BackCall }) {
  const formats = useFormats();
  return (
    <>
      <span className={classes.arrow} data-to="behind">
        <span className={classes.label}>
          <b>{method}</b> {path}
        </span>
      </span>
      <span className={classes.arrow} data-to="behind" data-back>
        <span className={classes.label}>
          <StatusCode status={status} />
          <span className={classes.dim}>{formats.duration(ms)}</span>
        </span>
      </span>
    </>
  );
}
