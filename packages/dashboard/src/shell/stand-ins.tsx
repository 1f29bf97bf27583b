import type { ErrorComponentProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { BackLink } from "../ui/back-link.tsx";
import { Page } from "../ui/page.tsx";
import { Failure, Loading } from "../ui/states.tsx";

/** In place of a page that is being loaded. */
export function Waiting() {
  return <Loading rows={6} />;
}

/** In place of a page that failed. */
export function Failed({ error }: ErrorComponentProps) {
  return (
    <div className="p-6">
      <Failure error={error} onRetry={() => location.reload()} />
    </div>
  );
}

/** In place of a page that there isn't. */
export function Nowhere({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title} back={<BackLink to="/">Leeway</BackLink>}>
      {children}
    </Page>
  );
}
