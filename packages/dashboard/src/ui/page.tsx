import { useLayoutEffect, type ReactNode } from "react";

import { classNames } from "./class-names.ts";

export interface PageProps {
  title: string;
  /** One sentence that describes the page. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** Link back to the parent page. */
  back?: ReactNode;
  /** Name of the page's part that is shown, if it has several. */
  part?: string | undefined;
  children: ReactNode;
}

/** Lays out a page: its heading, its actions, and the browser tab's title. */
export function Page({ title, lead, actions, back, part, children }: PageProps) {
  // Runs before the new page is announced.
  useLayoutEffect(() => {
    document.title = [part, title, "Leeway"].filter(Boolean).join(" · ");
  }, [part, title]);
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-6 sm:px-8">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-col gap-1">
          {back}
          <h1 className="text-xl leading-7 font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {lead !== undefined && <p className="text-muted max-w-3xl">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface CardProps {
  title?: ReactNode;
  actions?: ReactNode;
  /** Whether the content has padding; tables don't. */
  padded?: boolean;
  children: ReactNode;
}

export function Card({ title, actions, padded = true, children }: CardProps) {
  return (
    <section className="bg-surface border-line shadow-flat min-w-0 overflow-clip rounded-xl border">
      {(title !== undefined || actions !== undefined) && (
        <div className="border-line flex min-h-12 items-center justify-between gap-3 border-b px-4 py-2">
          <h2 className="font-semibold">{title}</h2>
          {actions !== undefined && <div className="flex flex-wrap justify-end gap-2">{actions}</div>}
        </div>
      )}
      <div className={classNames(padded && "p-4")}>{children}</div>
    </section>
  );
}
