import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";

import { BackLink } from "../ui/back-link.tsx";
import { Page } from "../ui/page.tsx";
import { Failure, Loading } from "../ui/states.tsx";
import { useOnline } from "./online.ts";
import { PageUnloaded, reloadOnceReachable } from "../ui/load-page.ts";

/** Replaces a page that is loading. */
export function Waiting() {
  return <Loading rows={6} />;
}

/** Replaces a page that failed. */
export function Failed({ error }: ErrorComponentProps) {
  const isOnline = useOnline();
  const isUnloaded = error instanceof PageUnloaded;
  useEffect(() => (isUnloaded && isOnline ? reloadOnceReachable() : undefined), [isUnloaded, isOnline]);
  if (isUnloaded) {
    return <Nowhere title="This page isn’t loaded yet">It opens once you’re back online.</Nowhere>;
  }
  return (
    <div className="p-6">
      <Failure error={error} onRetry={() => location.reload()} />
    </div>
  );
}

/** Replaces a page that doesn't exist. */
export function Nowhere({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title} back={<BackLink to="/">Leeway</BackLink>}>
      {children}
    </Page>
  );
}
