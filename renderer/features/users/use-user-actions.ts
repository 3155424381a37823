import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { createBan, createToken, deleteBan } from "../../../server/contract/console/console-endpoints.ts";
import {
  changeSession,
  forgetPhoneNumber,
  forgetUserInfo,
  revokeSession,
  type ConsoleSession,
  type ConsoleUser,
} from "../../../server/contract/console/console-users.ts";
import { changeSimAllowances, changeSimPerson, type SimPerson } from "../../../server/contract/provider/sim-people.ts";
import { useApi } from "../../api/use-api.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useToast } from "../../ui/dialogs/toast.ts";
import { refetch } from "../../ui/refetch.ts";

export type GrantedPermission = "userInfo" | "phoneNumber" | "location";

/**
 * The page's actions on users, sessions and addresses. Each notifies the reader of the result, and refetches changed
 * data.
 */
export function useUserActions() {
  const { t } = useTranslation();
  const { call } = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const showFailure = useShowFailure();

  /** Resolves to the result of `act`, or to undefined after a failure, of which the reader was notified. */
  async function done<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await act();
    } catch (error) {
      showFailure(error);
      return undefined;
    } finally {
      void refetch(queries, ["users"]);
    }
  }
  const expireIn = (id: number, seconds: number) =>
    call(changeSession, { params: { id }, body: { expires_in: seconds } });

  return {
    /** `leftMs`: the remaining time that an undo restores. */
    expire: ({ id }: ConsoleSession, leftMs: number) =>
      done(async () => {
        await expireIn(id, 0);
        const seconds = Math.max(1, Math.ceil(leftMs / 1000));
        toast.undo(t("users.expired", { id }), () => void done(() => expireIn(id, seconds)));
      }),
    giveTime: ({ id }: ConsoleSession, seconds: number) => done(() => expireIn(id, seconds)),
    revoke: ({ id }: ConsoleSession) =>
      done(async () => {
        await call(revokeSession, { params: { id } });
        toast.success(t("users.revoked", { id }));
      }),
    forgetPhone: ({ id, uid }: ConsoleUser) =>
      done(async () => {
        await call(forgetPhoneNumber, { params: { id } });
        toast.success(t("users.phoneForgotten", { uid }));
      }),
    forgetUserInfo: ({ id, uid }: ConsoleUser) =>
      done(async () => {
        await call(forgetUserInfo, { params: { id } });
        toast.success(t("users.userInfoForgotten", { uid }));
      }),
    /** Resolves to true, or to undefined after a failure. */
    ban: (ip: string) =>
      done(async () => {
        await call(createBan, { params: { ip } });
        toast.undo(t("users.banned", { ip }), () => void done(() => call(deleteBan, { params: { ip } })));
        return true;
      }),
    lift: (ip: string) =>
      done(async () => {
        await call(deleteBan, { params: { ip } });
        toast.success(t("users.lifted", { ip }));
      }),
    /** Resolves to the session token. */
    logIn: (person: string) => done(async () => (await call(createToken, { body: { user: person } })).access_token),
    addPerson: (name: string) => done(() => call(changeSimPerson, { params: { name }, body: {} })),
    changePerson: ({ name }: SimPerson, body: Partial<SimPerson>) =>
      done(() => call(changeSimPerson, { params: { name }, body })),
    allow: (name: string, permission: GrantedPermission, allowed: boolean | null) =>
      done(() => call(changeSimAllowances, { params: { name }, body: { [permission]: allowed } })),
  };
}
