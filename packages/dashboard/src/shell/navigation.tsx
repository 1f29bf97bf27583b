import { Link } from "@tanstack/react-router";
import {
  ArrowLeftRight,
  AudioLines,
  Boxes,
  Cloud,
  FileCode,
  FileDiff,
  Gauge,
  Radar,
  Settings,
  Sparkles,
  Webhook,
} from "lucide-react";

/** The pages of an organization, in the order in which they are looked at. */
const PAGES = [
  { to: "/orgs/$orgId/posture", name: "Posture", Icon: Gauge },
  { to: "/orgs/$orgId/inventory", name: "Inventory", Icon: Boxes },
  { to: "/orgs/$orgId/accounts", name: "Accounts", Icon: Cloud },
  { to: "/orgs/$orgId/sources", name: "Sources", Icon: FileCode },
  { to: "/orgs/$orgId/drift", name: "Drift", Icon: ArrowLeftRight },
  { to: "/orgs/$orgId/scans", name: "Scans", Icon: Radar },
  { to: "/orgs/$orgId/plans", name: "Plans", Icon: FileDiff },
  { to: "/orgs/$orgId/noise", name: "Noise", Icon: AudioLines },
  { to: "/orgs/$orgId/webhooks", name: "Webhooks", Icon: Webhook },
  { to: "/orgs/$orgId/usage", name: "Model usage", Icon: Sparkles },
  { to: "/orgs/$orgId/settings", name: "Settings", Icon: Settings },
] as const;

export function Navigation({ orgId, onGo }: { orgId: string; onGo?: () => void }) {
  return (
    <nav aria-label="Pages">
      <ul className="flex flex-col gap-0.5">
        {PAGES.map(({ to, name, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ orgId }}
              {...(onGo && { onClick: onGo })}
              className="text-muted hover:text-ink hover:bg-sunken flex h-8.5 items-center gap-2.5 rounded-lg px-2.5 font-medium"
              activeProps={{ className: "!text-ink bg-sunken" }}
            >
              <Icon aria-hidden="true" className="size-4" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
