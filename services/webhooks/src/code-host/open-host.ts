import type { CodeHostKind } from "@leeway/shared/contracts/webhooks/code-hosts";
import type { CommentProblem } from "@leeway/shared/contracts/webhooks/comments";
import type { Database } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { open as openSealed, SealError } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

import { requireNamed } from "./admission.ts";
import { createApi, type Api } from "./api.ts";
import { HostFailure } from "./failure.ts";
import { githubHeaders, type GithubApp, type HostWork } from "./github-app.ts";
import type { Pauses } from "./pauses.ts";
import { markToken, tokensFor, type SealedToken } from "./store/tokens.ts";
import type { Keep } from "./repository-leases.ts";

/** Table that configs' tokens are sealed for; the row is the config. */
export const TOKENS_TABLE = "webhooks.configs";
const REJECTED = "api_token was rejected by the instance";

export interface HostDependencies {
  database: Database;
  ring: KeyRing;
  log: Logger;
  egress: Egress;
  pauses: Pauses;
  /** GitHub App; undefined if none is configured. */
  githubApp: GithubApp | undefined;
}

/** A repository at a code host, and the work that is done there. */
export interface HostPlace {
  orgId: string;
  kind: CodeHostKind;
  repository: string;
  work: HostWork;
  /** Config whose token is used first. Without it and `host`, any config's token for the repository is. */
  configId?: string | undefined;
  /** URL on the host, which shows which of several GitLab hosts it is. */
  url?: string | undefined;
  /** Host with its port. Tokens for other hosts aren't used. */
  host?: string | undefined;
  keep: Keep;
}

/** API of a code host, with a credential for one repository. */
export type HostAccess =
  | { kind: "gitlab"; api: Api; baseUrl: string; repository: string }
  | { kind: "github"; api: Api; botLogin: string; repository: string };

/** Does `work` in a repository with the first credential that is valid there. @throws {HostFailure} */
export function atHost<T>(
  deps: HostDependencies,
  place: HostPlace,
  work: (access: HostAccess) => Promise<T>,
): Promise<T> {
  switch (place.kind) {
    case "gitlab":
      return atGitlab(deps, place, work);
    case "github":
      return atGithub(deps, place, work);
  }
}

async function atGitlab<T>(
  deps: HostDependencies,
  place: HostPlace,
  work: (access: HostAccess) => Promise<T>,
): Promise<T> {
  const { orgId, repository, configId, host } = place;
  let problem = new HostFailure("token_missing");
  for (const token of await tokensAt(deps, place)) {
    const raw = token.error === null ? opened(deps, orgId, token) : undefined;
    if (raw === undefined) {
      problem = new HostFailure("token_rejected");
      continue;
    }
    const { base_url: baseUrl } = token;
    const api = connect(deps, place, `${baseUrl}/api/v4`, { "private-token": raw });
    try {
      return await work({ kind: "gitlab", api, baseUrl, repository });
    } catch (error) {
      if (isProblem(error, "token_rejected")) await reject(deps, orgId, token);
      // Without a config the repository's host is unknown: another token may see it.
      else if (configId !== undefined || host !== undefined || !isProblem(error, "not_found")) throw error;
      problem = error;
    }
  }
  throw problem;
}

/** Returns the tokens for a repository, in the order in which they are tried. */
export async function tokensAt(
  { database }: Pick<HostDependencies, "database">,
  {
    orgId,
    repository,
    configId,
    url,
    host,
  }: Pick<HostPlace, "orgId" | "repository" | "configId" | "url" | "host">,
): Promise<SealedToken[]> {
  const place = { repository, configId, url: URL.parse(url ?? "")?.href };
  const tokens = await tokensFor(database.org(orgId), place);
  return tokens.filter(({ base_url: baseUrl }) => host === undefined || URL.parse(baseUrl)?.host === host);
}

/** Decrypts a token; undefined if that fails, so that the token counts as missing. */
function opened({ ring, log }: HostDependencies, orgId: string, token: SealedToken): string | undefined {
  const { config_id, sealed } = token;
  try {
    return openSealed(ring, { orgId, table: TOKENS_TABLE, rowId: config_id }, sealed);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.error({ error, org_id: orgId, config_id }, "the token of a code host can't be decrypted");
    return undefined;
  }
}

/** Marks a token as rejected. @throws {HostFailure} `unavailable` if the config has a new token by now */
async function reject({ database, log }: HostDependencies, orgId: string, token: SealedToken): Promise<void> {
  if (!(await markToken(database.org(orgId), token, REJECTED))) throw new HostFailure("unavailable", 1);
  log.warn({ org_id: orgId, config_id: token.config_id }, "a code host rejected its token");
}

async function atGithub<T>(
  deps: HostDependencies,
  place: HostPlace,
  work: (access: HostAccess) => Promise<T>,
): Promise<T> {
  const { githubApp: app } = deps;
  if (!app) throw new HostFailure("app_not_configured");
  const { orgId, repository } = place;
  const isAllowed = app.isFor(orgId, repository, place.work);
  if (isAllowed === false) throw new HostFailure("forbidden");
  const attempt = async (): Promise<T> => {
    const connectApp = (headers: Record<string, string>): Api => connect(deps, place, app.apiUrl, headers);
    const { token, botLogin } = await app.installation(repository, place.work, connectApp);
    const api = connectApp(githubHeaders(token));
    if (isAllowed === undefined) await requireNamed(api, repository, orgId);
    return work({ kind: "github", api, botLogin, repository });
  };
  try {
    return await attempt();
  } catch (error) {
    if (!isProblem(error, "token_rejected")) throw error;
    app.forget(repository); // reinstalling the app ends its tokens early
    return attempt();
  }
}

function connect(
  { egress, pauses }: HostDependencies,
  { orgId, keep }: HostPlace,
  baseUrl: string,
  headers: Record<string, string>,
): Api {
  return createApi({ egress, pauses, orgId, baseUrl, headers, keep });
}

function isProblem(error: unknown, problem: CommentProblem): error is HostFailure {
  return error instanceof HostFailure && error.problem === problem;
}
