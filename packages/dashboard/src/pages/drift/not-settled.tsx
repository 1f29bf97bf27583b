import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { sentence } from "../../api/failure.ts";
import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SetRepository } from "../sources/set-repository.tsx";
import type { DriftChangeDetail } from "./change.tsx";
import type { Settlement } from "./settlement-words.ts";

interface NotSettledProps {
  source: DriftChangeDetail["source"];
  refused: NonNullable<Settlement["refused"]>;
}

/** Explains why a change can't be settled this way, and where to look. */
export function NotSettled({ source, refused }: NotSettledProps) {
  if (source && refused.code === "no_repository") return <NoRepository source={source} />;
  const { message, path, line } = refused;
  return (
    <Notice tone="medium" title="Leeway can’t do this for certain">
      <p>{sentence(message)}</p>
      {path !== undefined && (
        <p>
          See{" "}
          <code className="font-mono text-xs break-all">
            {path}
            {line === undefined ? "" : `:${line}`}
          </code>
        </p>
      )}
    </Notice>
  );
}

function NoRepository({ source: { id, name } }: { source: NonNullable<DriftChangeDetail["source"]> }) {
  const orgId = useOrgId();
  const may = useMay("admin");
  const [isOpen, setOpen] = useState(false);
  return (
    <Notice tone="medium" title="The repository isn’t known">
      <p>
        Leeway reads the code from the repository of{" "}
        <Link
          to="/orgs/$orgId/sources/$sourceId"
          params={{ orgId, sourceId: id }}
          className="text-accent underline underline-offset-4"
        >
          {name}
        </Link>
        , which isn’t set. {may ? "" : "An admin can set it."}
      </p>
      {may && (
        <Button onClick={() => setOpen(true)} className="mt-1 self-start">
          Set repository
        </Button>
      )}
      {isOpen && <SetRepository source={{ id, name }} onClose={() => setOpen(false)} />}
    </Notice>
  );
}
