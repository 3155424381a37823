import { Suspense, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { useApi } from "../../api/use-api.ts";
import { lazyPart } from "../../ui/lazy-part.ts";
import type { LoginRefusal } from "./login-refusal.ts";
import classes from "./login-page.module.css";

/** Loaded on demand: rarely needed. */
const LoginPage = lazyPart(
  () => import("./login-page.tsx"),
  (file) => file.LoginPage,
);

/** Covers the page while the server does not know this browser. The page below stays as it is, and waits. */
export function LoginGate({ refusal }: { refusal: LoginRefusal | undefined }) {
  const { access } = useApi();
  const isLoggedOut = useStore(access.loggedOut);
  return isLoggedOut && <Gate refusal={refusal} />;
}

function Gate({ refusal }: { refusal: LoginRefusal | undefined }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const show = () => {
    if (dialog.current?.open === false) dialog.current.showModal();
  };
  useEffect(show, []);
  return (
    // Escape, and a gesture on some devices, closes a dialog; only a login may close this one.
    <dialog
      ref={dialog}
      className={classes.gate}
      aria-labelledby="login-title"
      onKeyDown={(event) => {
        if (event.key === "Escape") event.preventDefault();
      }}
      onClose={show}
    >
      <Suspense>
        <LoginPage refusal={refusal} />
      </Suspense>
    </dialog>
  );
}
