import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SimPerson } from "../../../server/contract/provider/sim-people.ts";
import { messageOfError } from "../../api/http/console-error.ts";
import { usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";
import { FilterCount } from "../../ui/table/filter-count.tsx";
import { nextPageOf } from "../../ui/table/next-page-of.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitView } from "../../ui/table/split-view.tsx";
import { AddPerson } from "./add-person.tsx";
import { BansMenu } from "./bans-menu.tsx";
import { userColumns } from "./user-columns.tsx";
import { UserInspector } from "./user-inspector.tsx";
import { personKey, uidOfPerson, userRows, type UserRow } from "./user-rows.ts";
import type { UsersSearch } from "./users-search.ts";
import { UsersEmpty } from "./users-empty.tsx";
import { usePeople, useUser, useUserPages, useUsersSync } from "./use-users.ts";
import classes from "./users.module.css";

const route = getRouteApi("/users");

/** The users, the answers to their next calls, and their actions. */
export function UsersPanel() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = usePageNavigate(route);
  useUsersSync();
  const page = useUsersPage(search);
  const { pages, people, rows, openKey, opened, row } = page;
  const { data, hasNextPage } = pages;
  const [first] = data?.pages ?? [];
  const ahead = data?.pages.at(-1)?.ahead ?? 0;
  const columns = useMemo(() => userColumns(t, ahead), [t, ahead]);
  const find = (q: string | undefined) => void navigate({ search: (before) => ({ ...before, q }), replace: true });
  const open = (key: string | undefined) =>
    void navigate({
      search: ({ q }) => ({
        q,
        ...(key?.startsWith("@") ? { person: key.slice(1) } : key !== undefined && { user: key }),
      }),
      replace: true,
    });
  /** Runs after an answer: another user who has been opened meanwhile stays open. */
  const openAdded = (name: string) =>
    void navigate({
      search: (before) =>
        before.user === search.user && before.person === search.person ? { q: before.q, person: name } : before,
      replace: true,
    });
  const empty = data !== undefined && people.isFetched && rows.length === 0;
  return (
    <Page
      title={t("users.title")}
      fill
      note={
        <FilterCount
          matched={page.matched}
          all={page.all}
          onClear={search.q === undefined ? undefined : () => find(undefined)}
        >
          {first && t("users.count", { count: first.total })}
        </FilterCount>
      }
      controls={
        <>
          <BansMenu />
          <AddPerson onAdded={openAdded} />
        </>
      }
    >
      <div className={classes.filters}>
        <FilterBar label={t("users.search")} text={search.q} onText={find} />
      </div>
      <SplitView
        title={openKey === undefined ? undefined : (row?.name ?? opened.data?.user.person ?? openKey.replace("@", ""))}
        onClose={() => open(undefined)}
        inspector={<Inspector page={page} search={search} />}
      >
        <QueryFailure query={pages} />
        {people.error && <Notice kind="info">{t("users.noPeople", { reason: messageOfError(people.error) })}</Notice>}
        {empty ? (
          <UsersEmpty text={search.q} onShowAll={() => void navigate({ search: {} })} />
        ) : (
          <DataTable
            label={t("users.table")}
            columns={columns}
            rows={rows}
            rowKey={keyOf}
            highlight={search.q}
            total={hasNextPage ? "unknown" : undefined}
            selected={openKey}
            onSelect={open}
            onNearEnd={nextPageOf(pages)}
          />
        )}
      </SplitView>
    </Page>
  );
}

function Inspector({ page, search }: { page: ReturnType<typeof useUsersPage>; search: UsersSearch }) {
  const { t } = useTranslation();
  const { opened, person, openUid, wantedUid, people } = page;
  if (opened.data || (wantedUid === undefined && person))
    return (
      <UserInspector
        key={search.person ?? wantedUid}
        user={opened.data?.user}
        sessions={opened.data?.sessions ?? []}
        ahead={opened.data?.ahead ?? 0}
        person={person}
      />
    );
  if (opened.data === null) return <Notice kind="info">{t("users.gone", { uid: openUid ?? "" })}</Notice>;
  if (opened.error) return <QueryFailure query={opened} />;
  if (openUid !== undefined || !people.data) return null;
  return <Notice kind="info">{t("users.nobody", { name: search.person ?? "" })}</Notice>;
}

/** The users and people that match a text, and how many they are: of people, those are counted that the list shows. */
function useRows(pages: ReturnType<typeof useUserPages>, people: readonly SimPerson[], text: string | undefined) {
  const { data, hasNextPage } = pages;
  const complete = data !== undefined && !hasNextPage;
  const rows = useMemo(
    () => userRows(data?.pages.flatMap((page) => page.users) ?? [], people, { complete, text }),
    [data, people, complete, text],
  );
  return { rows, count: complete ? rows.length : data?.pages[0]?.matched };
}

/** The users and people that match the search, and the open one. */
function useUsersPage(search: UsersSearch) {
  const pages = useUserPages(search.q);
  const people = usePeople();
  const { data: persons = nobody } = people;
  const { rows, count: matched } = useRows(pages, persons, search.q);
  const { count: all } = useRows(useUserPages(undefined, search.q !== undefined), persons, undefined);
  const wantedUid = /^u\d+$/.test(search.user ?? "") ? search.user : undefined;
  // The person of an address may have become a user meanwhile.
  const openUid = wantedUid ?? uidOfPerson(rows, search.person);
  const opened = useUser(openUid === undefined ? undefined : Number(openUid.slice(1)));
  const openKey = openUid ?? (search.person === undefined ? undefined : personKey(search.person));
  const row = rows.find(({ key }) => key === openKey);
  const person = row?.person ?? people.data?.find(({ name }) => name === (opened.data?.user.person ?? search.person));
  return { pages, people, rows, matched, all, wantedUid, openUid, opened, openKey, row, person };
}

const nobody: readonly SimPerson[] = [];
const keyOf = (row: UserRow) => row.key;
