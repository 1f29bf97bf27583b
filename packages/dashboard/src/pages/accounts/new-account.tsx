import { useSearch } from "@tanstack/react-router";
import { Braces, Cloud } from "lucide-react";

import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Page } from "../../ui/page.tsx";
import { Steps } from "../../ui/steps.tsx";
import { AdminsOnly } from "./admins-only.tsx";
import { NewAccountForm } from "./new-account-form.tsx";
import type { Place } from "./search.ts";
import { newAccountSearch } from "./search.ts";

/** The way from nothing to a first scan. */
export const CONNECT_STEPS = ["Which account", "Let Leeway in", "First scan"];

/** Begins to connect an account: where it is, and which one. */
export function NewAccountPage() {
  const orgId = useOrgId();
  const { place } = useSearch({ from: "/orgs/$orgId/accounts/new", select: newAccountSearch });
  const may = useMay("admin");
  return (
    <Page
      title="Connect an account"
      back={
        <BackLink to="/orgs/$orgId/accounts" params={{ orgId }}>
          Accounts
        </BackLink>
      }
    >
      <Steps steps={CONNECT_STEPS} current={0} />
      {may ? <Beginning place={place} /> : <AdminsOnly />}
    </Page>
  );
}

function Beginning({ place }: { place: Place | undefined }) {
  return place ? <NewAccountForm key={place} place={place} /> : <Places />;
}

function Places() {
  const orgId = useOrgId();
  const way = { to: "/orgs/$orgId/accounts/new", params: { orgId } } as const;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Choice {...way} search={{ place: "aws" }} icon={<Cloud className="size-5" />} title="AWS">
        An account, by a role that Leeway assumes, or by an access key.
      </Choice>
      <Choice {...way} search={{ place: "gcp" }} icon={<Cloud className="size-5" />} title="Google Cloud">
        A project, by workload identity, or by the key of a service account.
      </Choice>
      <Choice {...way} search={{ place: "azure" }} icon={<Cloud className="size-5" />} title="Azure">
        A subscription, by a federated credential, or by a client secret.
      </Choice>
      <Choice {...way} search={{ place: "other" }} icon={<Braces className="size-5" />} title="Anything else">
        Whatever has resources: you push what there is as lines of JSON.
      </Choice>
    </div>
  );
}
