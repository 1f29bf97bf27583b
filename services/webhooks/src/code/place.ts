import type { SourceRepository } from "@leeway/shared/contracts/common";
import { hostNameIn, kindNamed, type CodeHostKind } from "@leeway/shared/contracts/webhooks/code-hosts";

import type { GithubApp, HostWork } from "../code-host/github-app.ts";
import { HostFailure } from "../code-host/failure.ts";
import { atHost, tokensAt, type HostAccess, type HostDependencies } from "../code-host/open-host.ts";
import type { RepositoryLeases } from "../code-host/repository-leases.ts";

export interface CodeDependencies extends HostDependencies {
  leases: RepositoryLeases;
}

interface CodePlace {
  orgId: string;
  repository: SourceRepository;
  work: HostWork;
}

/** Does `work` in a source's repository while no other process calls its code host about it. @throws {HostFailure} */
export async function atCode<T>(
  deps: CodeDependencies,
  { orgId, repository, work: needed }: CodePlace,
  work: (access: HostAccess) => Promise<T>,
): Promise<T> {
  const { path } = repository;
  const host = hostNameIn(repository.host);
  const kind = kindNamed(repository.host) ?? (await kindOf(deps, orgId, { path, host }));
  if (kind === "github" && host !== undefined && host !== webHostOf(deps.githubApp))
    throw new HostFailure("app_not_configured");
  return deps.leases.hold({ orgId, name: `code ${kind} ${path}` }, (keep) =>
    atHost(deps, { orgId, kind, repository: path, host, work: needed, keep }, work),
  );
}

/** Returns the kind of a host: the app's host is a GitHub, and hosts with tokens are GitLabs. */
async function kindOf(
  deps: CodeDependencies,
  orgId: string,
  { path, host }: { path: string; host: string | undefined },
): Promise<CodeHostKind> {
  if (host !== undefined) return host === webHostOf(deps.githubApp) ? "github" : "gitlab";
  const tokens = await tokensAt(deps, { orgId, repository: path });
  return tokens.length > 0 ? "gitlab" : "github";
}

/** Returns the base URL of the web pages of the app's GitHub. */
export function webPagesOf(app: GithubApp | undefined): string | undefined {
  return app && URL.parse(app.apiUrl)?.origin.replace(/^https:\/\/api\.github\.com$/, "https://github.com");
}

function webHostOf(app: GithubApp | undefined): string | undefined {
  return URL.parse(webPagesOf(app) ?? "")?.host;
}
