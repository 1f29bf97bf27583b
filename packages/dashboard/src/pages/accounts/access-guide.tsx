import type { ReactNode } from "react";

import type { Answer } from "../../api/client.ts";
import { Code } from "../../ui/code.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Way } from "./ways.ts";

export type Guide = Answer<"GET /orgs/{id}/cloud-accounts/{account_id}/policy">;

/** Stands in the guide of an installation that wasn't told who it is on AWS. */
const UNKNOWN_PRINCIPAL = "arn:aws:iam::LEEWAY-ACCOUNT:role/LEEWAY-ROLE";

/** What to paste so that a cloud lets Leeway in. */
export function AccessGuide({ guide, way }: { guide: Guide; way: Way }) {
  if (way.documents) {
    const wanted = guide.documents.filter(({ name }) => way.documents?.includes(name));
    return <Documents documents={wanted} />;
  }
  return (
    <>
      {JSON.stringify(guide.documents).includes(UNKNOWN_PRINCIPAL) && <UnknownPrincipal />}
      <Code title="Commands" code={guide.commands.join("\n")} />
      <Beside summary="The same as documents, for the console or for Terraform">
        <CopyLine name={guide.issuer === undefined ? "External id" : "Subject"} value={guide.identity} />
        {guide.issuer !== undefined && <CopyLine name="Issuer" value={guide.issuer} />}
        <Documents documents={guide.documents} />
      </Beside>
    </>
  );
}

function Beside({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details>
      <summary className="text-muted hover:text-ink w-fit">{summary}</summary>
      <div className="flex flex-col gap-3 pt-3">{children}</div>
    </details>
  );
}

function Documents({ documents }: Pick<Guide, "documents">) {
  return documents.map(({ name, content }) => (
    <Code key={name} title={`${name}.json`} code={JSON.stringify(content, undefined, 2)} />
  ));
}

function UnknownPrincipal() {
  return (
    <Notice tone="medium" title="Who Leeway is on AWS isn’t known here">
      <p>
        Put it in place of <code className="font-mono text-xs">{UNKNOWN_PRINCIPAL}</code>. Whoever runs Leeway
        knows it, and can set <code className="font-mono text-xs">AWS_PRINCIPAL_ARN</code>.
      </p>
    </Notice>
  );
}
