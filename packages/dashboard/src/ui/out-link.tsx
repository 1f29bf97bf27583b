import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

/** Links to another site. An address that isn't a web page's, such as `javascript:`, is shown as text. */
export function OutLink({ to, children }: { to: string; children: ReactNode }) {
  const isPage = /^https?:$/.test(URL.parse(to)?.protocol ?? "");
  if (!isPage) return <span className="break-all">{children}</span>;
  return (
    <a
      href={to}
      target="_blank"
      rel="noreferrer"
      className="text-accent inline-flex items-center gap-1 underline-offset-4 hover:underline"
    >
      {children}
      <ExternalLink aria-label="opens in a new tab" className="size-3.5 shrink-0" />
    </a>
  );
}
