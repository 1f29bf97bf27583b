import { Outlet, useParams } from "@tanstack/react-router";
import { Menu as MenuIcon, Search, X } from "lucide-react";
import { useEffect, useRef } from "react";

import { useOrganizations } from "../session/organizations.ts";
import { IconButton } from "../ui/button.tsx";
import { Read } from "../ui/states.tsx";
import { Logo } from "../ui/logo.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { FollowOrganization } from "./follow-organization.tsx";
import { GoTo, useGoTo } from "./go-to.tsx";
import { HelpMenu } from "./help-menu.tsx";
import { Navigation } from "./navigation.tsx";
import { OrganizationMenu } from "./organization-menu.tsx";
import { PageNews } from "./page-news.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import { Nowhere } from "./stand-ins.tsx";

/** Lays out every page of an organization. */
export function Shell() {
  const { orgId = "" } = useParams({ strict: false });
  const goTo = useGoTo(orgId);
  return (
    <div className="xl:grid xl:grid-cols-[15rem_minmax(0,1fr)] print:block!">
      <a
        href="#content"
        className="bg-accent text-accent-ink sr-only z-50 rounded-lg px-3 py-2 font-medium focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <aside className="border-line sticky top-0 z-30 hidden h-dvh flex-col gap-4 border-r p-3 xl:flex print:hidden">
        <Places orgId={orgId} onSearch={goTo.open} />
      </aside>
      <NarrowBar orgId={orgId} onSearch={goTo.open} />
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <OfflineBar />
        <Content orgId={orgId} />
      </main>
      {goTo.dialog}
      <PageNews />
      <FollowOrganization orgId={orgId} />
    </div>
  );
}

/** Shows the page once the person's role is known, so that no page claims to be for others in the meantime. */
function Content({ orgId }: { orgId: string }) {
  const organizations = useOrganizations();
  if (organizations.data?.some(({ id }) => id === orgId)) return <Outlet />;
  if (organizations.data) {
    return <Nowhere title="Organization not found">It was deleted, or you aren’t a member.</Nowhere>;
  }
  return (
    <div className="p-6">
      <Read read={organizations}>{() => undefined}</Read>
    </div>
  );
}

interface PlacesProps {
  orgId: string;
  onGo?: () => void;
  onSearch?: () => void;
}

function Places({ orgId, onGo, onSearch }: PlacesProps) {
  return (
    <>
      <div className="px-2 pt-2">
        <Logo />
      </div>
      <OrganizationMenu orgId={orgId} />
      {onSearch && <GoTo onOpen={onSearch} />}
      <div className="flex-1 overflow-y-auto">
        <Navigation orgId={orgId} {...(onGo && { onGo })} />
      </div>
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <AccountMenu />
        </div>
        <HelpMenu />
      </div>
    </>
  );
}

/** Shows the same on narrow screens, behind a button. */
function NarrowBar({ orgId, onSearch }: { orgId: string; onSearch: () => void }) {
  const drawer = useRef<HTMLDialogElement>(null);
  const close = (): void => drawer.current?.close();
  useEffect(close, [orgId]);
  useEffect(() => {
    // A hidden modal drawer would still block the page.
    const wide = matchMedia("(min-width: 80rem)");
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, []);
  return (
    <header className="border-line bg-surface sticky top-0 z-20 flex h-12 items-center justify-between border-b px-4 xl:hidden print:hidden">
      <Logo />
      <div className="flex items-center gap-1">
        <IconButton label="Go to" onClick={onSearch}>
          <Search className="size-5" />
        </IconButton>
        <IconButton label="Pages" onClick={() => drawer.current?.showModal()}>
          <MenuIcon className="size-5" />
        </IconButton>
      </div>
      <dialog
        ref={drawer}
        aria-label="Pages"
        closedby="any"
        className="bg-page text-ink shadow-lift fixed inset-y-0 left-0 m-0 h-dvh max-h-none w-72 p-0"
      >
        <div className="flex h-full flex-col gap-4 p-3">
          <IconButton label="Close" onClick={close} className="absolute top-3 right-3">
            <X className="size-4" />
          </IconButton>
          <Places orgId={orgId} onGo={close} />
        </div>
      </dialog>
    </header>
  );
}
