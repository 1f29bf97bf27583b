import { useParams } from "@tanstack/react-router";
import { useState } from "react";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Read } from "../../ui/states.tsx";
import { lastSearch } from "../last-search.ts";
import { nameOfChange } from "./change.tsx";
import { ChangeDetail } from "./change-detail.tsx";
import { changeUrl } from "./change-url.ts";
import { Decide, type Decision } from "./decide.tsx";
import { Decisions } from "./decisions.tsx";
import { driftSearch } from "./search.ts";

const FRESH_MS = 15_000;

/** Shows one change of the drift, at an address of its own. */
export function ChangePage() {
  const orgId = useOrgId();
  const { fingerprint } = useParams({ from: "/orgs/$orgId/drift/$fingerprint" });
  const [decision, setDecision] = useState<Decision>();
  const read = useRead("GET /orgs/{id}/drift-changes/{fingerprint}", {
    params: { fingerprint },
    everyMs: FRESH_MS,
  });
  const change = read.data;
  return (
    <Page
      title={change ? nameOfChange(change) : "Change"}
      back={
        <BackLink
          to="/orgs/$orgId/drift"
          params={{ orgId }}
          search={driftSearch(lastSearch(`/orgs/${orgId}/drift`))}
        >
          Drift
        </BackLink>
      }
      {...(change && {
        actions: (
          <>
            <CopyButton text={changeUrl(orgId, fingerprint)} label="Copy link" />
            <Decisions change={change} onDecide={setDecision} />
          </>
        ),
      })}
    >
      <Read read={read}>
        {(change) => (
          <Card>
            <ChangeDetail change={change} />
          </Card>
        )}
      </Read>
      {change && decision && (
        <Decide change={change} decision={decision} onClose={() => setDecision(undefined)} />
      )}
    </Page>
  );
}
