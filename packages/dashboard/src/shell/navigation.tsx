import { Link } from "@tanstack/react-router";
import {
  ArrowLeftRight,
  AudioLines,
  Boxes,
  Cloud,
  FileCode,
  FileDiff,
  Filter,
  Gauge,
  Radar,
  Settings,
  Sparkles,
  Webhook,
  type LucideIcon,
} from "lucide-react";

import { PAGES } from "./places.ts";

const ICONS: Readonly<Record<(typeof PAGES)[number]["path"], LucideIcon>> = {
  "/posture": Gauge,
  "/inventory": Boxes,
  "/accounts": Cloud,
  "/sources": FileCode,
  "/drift": ArrowLeftRight,
  "/scans": Radar,
  "/plans": FileDiff,
  "/noise": AudioLines,
  "/rules": Filter,
  "/webhooks": Webhook,
  "/usage": Sparkles,
  "/settings": Settings,
};

export function Navigation({ orgId, onGo }: { orgId: string; onGo?: () => void }) {
  return (
    <nav aria-label="Pages">
      <ul className="flex flex-col gap-0.5">
        {PAGES.map(({ path, name }) => (
          <li key={path}>
            <Link
              to={`/orgs/$orgId${path}`}
              params={{ orgId }}
              {...(onGo && { onClick: onGo })}
              className="text-muted hover:text-ink hover:bg-sunken flex h-8.5 items-center gap-2.5 rounded-lg px-2.5 font-medium"
              activeProps={{ className: "!text-ink bg-sunken forced-colors:outline" }}
            >
              <Icon of={path} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Icon({ of }: { of: keyof typeof ICONS }) {
  const Shape = ICONS[of];
  return <Shape aria-hidden="true" className="size-4" />;
}
