import { Button, TextInput } from "@mantine/core";
import { CircleAlert, CornerDownLeft, SquareTerminal } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApi } from "../../api/use-api.ts";
import { hearthWindow } from "../../api/desktop/hearth-window.ts";
import { createLoginCalls, type LoginProblem } from "../../api/http/log-in.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { ShortcutKeys } from "../../ui/keyboard/keys.tsx";
import { useOnReturn } from "../../ui/use-on-return.ts";
import { codeShape, written } from "./login-code.ts";
import type { LoginRefusal } from "./login-refusal.ts";
import { LanguageSwitch, ThemeSwitch } from "../choices/preferences.tsx";
import classes from "./login-page.module.css";

/** The command in the page, which only has it if it was loaded on Hearth's own machine. */
const openCommand = () => document.querySelector<HTMLMetaElement>('meta[name="hearth-open"]')?.content ?? "hearth open";

/** Explains what to type, takes a code, and closes once the browser is logged in. */
export function LoginPage({ refusal }: { refusal: LoginRefusal | undefined }) {
  const { t } = useTranslation();
  // The run was started again then, and not the page.
  const isAgain = useApi().access.wasIn();
  return (
    <div className={classes.page}>
      <div className={classes.preferences}>
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <div className={classes.card}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} width={36} height={36} alt="Hearth" />
        <h1 id="login-title">{t(isAgain ? "login.titleAgain" : "login.title")}</h1>
        <p className={classes.lead}>{t(isAgain ? "login.textAgain" : "login.text")}</p>
        <CodeForm refusal={refusal} />
        <h2>{t("login.where")}</h2>
        <ul className={classes.ways}>
          <li>
            <CornerDownLeft size={15} aria-hidden />
            <span>
              {t("login.terminal")} <ShortcutKeys keys="Enter" />
            </span>
          </li>
          <li>
            <SquareTerminal size={15} aria-hidden />
            <div>
              {t("login.command")}
              <CodeBlock code={openCommand()} name={t("login.commandName")} />
              <span className={classes.hint}>{t("login.commandHint")}</span>
            </div>
          </li>
        </ul>
      </div>
    </div>
  );
}

function CodeForm({ refusal }: { refusal: LoginRefusal | undefined }) {
  const { t } = useTranslation();
  const { access } = useApi();
  const login = useMemo(() => createLoginCalls((input, init) => fetch(input, init), access), [access]);
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<LoginProblem | LoginRefusal | undefined>(refusal);

  const submit = async (given: string) => {
    setIsBusy(true);
    const found = await login.withCode(given);
    setIsBusy(false);
    setProblem(found);
    field.current?.select();
  };
  const type = (typed: string) => {
    const next = written(typed);
    setCode(next);
    setProblem(undefined);
    if (next.length === codeShape.length && next !== code) void submit(next);
  };

  // The Electron window logs in by itself; if it cannot, the form is there.
  useEffect(() => {
    hearthWindow
      ?.loginCode()
      .then((given) => login.withCode(given))
      .catch(() => undefined);
  }, [login]);
  // The user may have logged in with the printed address in another tab.
  useOnReturn(() => void login.checkAgain());

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(code);
      }}
    >
      <TextInput
        ref={field}
        size="md"
        label={t("login.code")}
        placeholder={codeShape}
        value={code}
        onChange={(event) => type(event.currentTarget.value)}
        readOnly={isBusy}
        autoFocus
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        classNames={{ input: classes.code ?? "", label: classes.label ?? "" }}
        aria-invalid={problem !== undefined}
        aria-describedby="login-problem"
      />
      <div id="login-problem" role="alert">
        {problem !== undefined && (
          <p className={classes.problem}>
            <CircleAlert size={15} aria-hidden />
            {t(`login.${problem}`)}
          </p>
        )}
      </div>
      <Button
        type="submit"
        variant="filled"
        size="sm"
        fullWidth
        loading={isBusy}
        disabled={code.length < codeShape.length}
      >
        {t("login.submit")}
      </Button>
    </form>
  );
}
