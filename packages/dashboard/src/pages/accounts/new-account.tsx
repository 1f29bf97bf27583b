import { Link, useSearch } from "@tanstack/react-router";
import { Braces, Cloud } from "lucide-react";
import type { ReactNode } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Steps } from "../../ui/steps.tsx";
import { AdminsOnly } from "./admins-only.tsx";
import { NewAccountForm } from "./new-account-form.tsx";
import type { Place } from "./search.ts";

/** The way from nothing to a first scan. */
export const CONNECT_STEPS = ["Which account", "Let Leeway in", "First scan"];

/** Begins to connect an account: where it is, and which one. */
export function NewAccountPage() {
  const orgId = useOrgId();
  const { place } = useSearch({ from: "/orgs/$orgId/accounts/new" });
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
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Choice place="aws" icon={<Cloud className="size-5" />} title="AWS">
        An account, by a role that Leeway assumes, or by an access key.
      </Choice>
      <Choice place="gcp" icon={<Cloud className="size-5" />} title="Google Cloud">
        A project, by workload identity, or by the key of a service account.
      </Choice>
      <Choice place="azure" icon={<Cloud className="size-5" />} title="Azure">
        A subscription, by a federated credential, or by a client secret.
      </Choice>
      <Choice place="other" icon={<Braces className="size-5" />} title="Anything else">
        Whatever has resources: you push what there is as lines of JSON.
      </Choice>
    </div>
  );
}

interface ChoiceProps {
  place: Place;
  icon: ReactNode;
  title: string;
  children: ReactNode;
}

function Choice({ place, icon, title, children }: ChoiceProps) {
  const orgId = useOrgId();
  return (
    <Card>
      <div className="relative flex gap-4">
        <span aria-hidden="true" className="bg-accent-soft text-accent h-fit rounded-xl p-3">
          {icon}
        </span>
        <div className="flex flex-col gap-1">
          <h2 className="text-base font-semibold">
            <Link
              to="/orgs/$orgId/accounts/new"
              params={{ orgId }}
              search={{ place }}
              className="after:absolute after:-inset-4 hover:underline"
            >
              {title}
            </Link>
          </h2>
          <p className="text-muted">{children}</p>
        </div>
      </div>
    </Card>
  );
}
