import type { CommentProblem, CommentTarget } from "@leeway/shared/contracts/webhooks/comments";
import type { Database } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/egress/egress";
import { open as openSealed, SealError } from "@leeway/shared/encryption/envelope";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Logger } from "@leeway/shared/telemetry/log";

import { requireNamed } from "./admission.ts";
import { createApi, type Api } from "./api.ts";
import type { CodeHost } from "./code-host.ts";
import { HostFailure } from "./failure.ts";
import { githubHeaders, type GithubApp } from "./github-app.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import type { Pauses } from "./pauses.ts";
import { markToken, tokensFor, type SealedToken } from "./store/tokens.ts";
import type { Keep } from "./turns.ts";

/** Where the tokens of configs are sealed; a row of it is a config. */
export const TOKENS_TABLE = "webhooks.configs";
const REJECTED = "api_token was rejected by the instance";

export interface HostDependencies {
  database: Database;
  ring: KeyRing;
  log: Logger;
  egress: Egress;
  pauses: Pauses;
  /** Absent where none is configured. */
  githubApp: GithubApp | undefined;
}

interface Target {
  orgId: string;
  target: CommentTarget;
  keep: Keep;
}

/** Does `work` at a target with the first credential that is good there. @throws {HostFailure} */
export function atHost<T>(
  deps: HostDependencies,
  where: Target,
  work: (host: CodeHost) => Promise<T>,
): Promise<T> {
  return where.target.source === "vcs" ? atGitlab(deps, where, work) : atGithub(deps, where, work);
}

async function atGitlab<T>(
  deps: HostDependencies,
  where: Target,
  work: (host: CodeHost) => Promise<T>,
): Promise<T> {
  const { repository, config_id: configId, number } = where.target;
  const url = URL.parse(where.target.url ?? "")?.href;
  const tokens = await tokensFor(deps.database.org(where.orgId), { repository, configId, url });
  let problem = new HostFailure("token_missing");
  for (const token of tokens) {
    const raw = token.error === null ? opened(deps, where.orgId, token) : undefined;
    if (raw === undefined) {
      problem = new HostFailure("token_rejected");
      continue;
    }
    const { base_url: baseUrl } = token;
    const api = connect(deps, where, `${baseUrl}/api/v4`, { "private-token": raw });
    try {
      return await work(gitlab(api, { baseUrl, repository, number }));
    } catch (error) {
      if (isProblem(error, "token_rejected")) await reject(deps, where.orgId, token);
      // Without a config nobody has said whose repository it is: another token may see it.
      else if (configId !== undefined || !isProblem(error, "not_found")) throw error;
      problem = error;
    }
  }
  throw problem;
}

/** Undefined for a token that doesn't open: it is as good as none. */
function opened({ ring, log }: HostDependencies, orgId: string, token: SealedToken): string | undefined {
  const { config_id, sealed } = token;
  try {
    return openSealed(ring, { orgId, table: TOKENS_TABLE, rowId: config_id }, sealed);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.error({ error, org_id: orgId, config_id }, "the token of a code host doesn't open");
    return undefined;
  }
}

/** @throws {HostFailure} `unavailable` when the config has another token by now */
async function reject({ database, log }: HostDependencies, orgId: string, token: SealedToken): Promise<void> {
  if (!(await markToken(database.org(orgId), token, REJECTED))) throw new HostFailure("unavailable", 1);
  log.warn({ org_id: orgId, config_id: token.config_id }, "a code host rejects its token");
}

async function atGithub<T>(
  deps: HostDependencies,
  where: Target,
  work: (host: CodeHost) => Promise<T>,
): Promise<T> {
  const { githubApp: app } = deps;
  if (!app) throw new HostFailure("app_not_configured");
  const { repository, number } = where.target;
  const isAllowed = app.isFor(where.orgId, repository);
  if (isAllowed === false) throw new HostFailure("forbidden");
  const attempt = async (): Promise<T> => {
    const connectApp = (headers: Record<string, string>): Api => connect(deps, where, app.apiUrl, headers);
    const { token, botLogin } = await app.installation(repository, connectApp);
    const api = connectApp(githubHeaders(token));
    if (isAllowed === undefined) await requireNamed(api, repository, where.orgId);
    return work(github(api, { repository, number, botLogin }));
  };
  try {
    return await attempt();
  } catch (error) {
    if (!isProblem(error, "token_rejected")) throw error;
    app.forget(repository); // a token ends early when the app is installed anew
    return attempt();
  }
}

function connect(
  { egress, pauses }: HostDependencies,
  { orgId, keep }: Target,
  baseUrl: string,
  headers: Record<string, string>,
): Api {
  return createApi({ egress, pauses, orgId, baseUrl, headers, keep });
}

function isProblem(error: unknown, problem: CommentProblem): error is HostFailure {
  return error instanceof HostFailure && error.problem === problem;
}
