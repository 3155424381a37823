import { RouterProvider, type AnyRouter } from "@tanstack/react-router";
import { Suspense, useLayoutEffect, useRef } from "react";
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

interface Props {
  refusal: LoginRefusal | undefined;
  router: AnyRouter;
}

/**
 * The console, or the login while the server does not know this browser. A page that was open before stays as it is below
 * the login, and waits.
 */
export function LoginGate({ refusal, router }: Props) {
  const { access } = useApi();
  const isLoggedOut = useStore(access.loggedOut);
  return (
    <>
      {(!isLoggedOut || access.wasIn()) && <RouterProvider router={router} />}
      {isLoggedOut && <Gate refusal={refusal} />}
    </>
  );
}

function Gate({ refusal }: Pick<Props, "refusal">) {
  const dialog = useRef<HTMLDialogElement>(null);
  const show = () => {
    if (dialog.current?.open === false) dialog.current.showModal();
  };
  useLayoutEffect(show, []); // before the first paint
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
