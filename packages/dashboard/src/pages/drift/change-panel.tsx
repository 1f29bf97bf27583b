import { Link } from "@tanstack/react-router";
import { Maximize2, X } from "lucide-react";
import { useEffect, useRef } from "react";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Read } from "../../ui/states.tsx";
import { nameOfChange } from "./change.tsx";
import { ChangeDetail } from "./change-detail.tsx";
import { changeUrl } from "./change-url.ts";
import type { Decision } from "./decide.tsx";
import { Decisions } from "./decisions.tsx";
import type { DriftChange } from "./change.tsx";

interface ChangePanelProps {
  fingerprint: string;
  onClose: () => void;
  onDecide: (change: DriftChange, decision: Decision) => void;
}

/** Shows one change beside the list. Escape closes it. */
export function ChangePanel({ fingerprint, onClose, onDecide }: ChangePanelProps) {
  const orgId = useOrgId();
  const heading = useRef<HTMLHeadingElement>(null);
  const read = useRead("GET /orgs/{id}/drift-changes/{fingerprint}", { params: { fingerprint } });
  const change = read.data;
  useEffect(() => heading.current?.focus({ preventScroll: true }), [fingerprint]);
  return (
    <aside
      aria-label="Change"
      onKeyDown={({ key }) => key === "Escape" && onClose()}
      className="bg-surface border-line shadow-flat flex lg:max-h-[calc(100dvh-2rem)] min-w-0 flex-col rounded-xl border"
    >
      <div className="border-line flex items-start justify-between gap-2 border-b py-2 pr-2 pl-4">
        <h2 ref={heading} tabIndex={-1} className="min-w-0 py-1.5 font-semibold wrap-anywhere outline-none">
          {change ? nameOfChange(change) : "Change"}
        </h2>
        <span className="flex">
          <Link
            to="/orgs/$orgId/drift/$fingerprint"
            params={{ orgId, fingerprint }}
            aria-label="Open as a page"
            title="Open as a page"
            className="text-muted hover:text-ink hover:bg-sunken inline-flex size-8 items-center justify-center rounded-lg"
          >
            <Maximize2 aria-hidden="true" className="size-4" />
          </Link>
          <IconButton label="Close" onClick={onClose}>
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </span>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <Read read={read}>{(change) => <ChangeDetail change={change} />}</Read>
      </div>
      {change && (
        <div className="border-line bg-page flex flex-wrap justify-end gap-2 rounded-b-xl border-t px-4 py-3">
          <CopyButton text={changeUrl(orgId, fingerprint)} label="Copy link" />
          <Decisions change={change} onDecide={(decision) => onDecide(change, decision)} />
        </div>
      )}
    </aside>
  );
}
