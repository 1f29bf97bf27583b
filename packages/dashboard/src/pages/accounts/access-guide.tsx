import type { ReactNode } from "react";

import type { Answer } from "../../api/client.ts";
import { Code } from "../../ui/code.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Way } from "./ways.ts";

export type Guide = Answer<"GET /orgs/{id}/cloud-accounts/{account_id}/policy">;

/** Placeholder in the guide if the installation has no AWS principal configured. */
const UNKNOWN_PRINCIPAL = "arn:aws:iam::LEEWAY-ACCOUNT:role/LEEWAY-ROLE";

/** Shows the commands that give Leeway access to a cloud. */
export function AccessGuide({ guide, way }: { guide: Guide; way: Way }) {
  if (way.documents) {
    const wanted = guide.documents.filter(({ name }) => way.documents?.includes(name));
    return <Documents documents={wanted} />;
  }
  return (
    <>
      {JSON.stringify(guide.documents).includes(UNKNOWN_PRINCIPAL) && <UnknownPrincipal />}
      <Code title="Commands" code={guide.commands.join("\n")} />
      {guide.terraform !== undefined && (
        <Beside summary="As Terraform code">
          <Code title="leeway.tf" code={guide.terraform} />
        </Beside>
      )}
      <Beside summary="As JSON documents, for the console or Terraform">
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
    <Notice tone="medium" title="This server has no AWS principal configured">
      <p>
        Replace <code className="font-mono text-xs">{UNKNOWN_PRINCIPAL}</code> with the role or user that
        Leeway runs as. The operator of this server can set it as{" "}
        <code className="font-mono text-xs">AWS_PRINCIPAL_ARN</code>.
      </p>
    </Notice>
  );
}
