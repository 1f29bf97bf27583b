import { createPrivateKey, type KeyObject } from "node:crypto";

import { commaSeparated, httpUrl, optional, variable, type Variable } from "@leeway/shared/platform/config";
import { isUuid } from "@leeway/shared/contracts/contract";
import { keysOf } from "@leeway/shared/values/keys-of";
import { Type as t } from "@sinclair/typebox";
import { SignJWT } from "jose";

import type { Api } from "./api.ts";
import { HostFailure, orWhen } from "./failure.ts";
import { repositoryPath } from "./github.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Cache time of installation tokens, which are valid for an hour. */
const KEEP_MS = 55 * 60 * 1000;
const MARGIN_MS = HOUR_MS - KEEP_MS;
const MAX_KEPT = 10_000;
/** Permissions requested from an installation: only those that the work needs. */
const PERMISSIONS = {
  comment: { pull_requests: "write", metadata: "read" },
  read_code: { contents: "read", metadata: "read" },
  change_code: { contents: "write", pull_requests: "write", metadata: "read" },
} as const;
/** Work at a code host. */
export type HostWork = keyof typeof PERMISSIONS;
/** Permission to read the file in which a repository names organizations. */
const READ_FILE = { single_file: "read" };
const ANY = "*";

const GITHUB_APP_PRIVATE_KEY: Variable<KeyObject | undefined> = {
  describe: "Private key of the app, as PEM; line breaks may be written as `\\n`",
  fallback: "none",
  parse: (raw) => (raw === undefined ? undefined : privateKeyOf(raw)),
};

const GITHUB_APP_OWNERS: Variable<Owners | undefined> = {
  describe:
    "`org_id:owner` pairs (`*` for any): owners on whose repositories an organization may comment and, if its id is given, settle drift; by default, repositories that name the organization",
  fallback: "none",
  parse: (raw) => (raw === undefined ? undefined : ownersOf(raw)),
};

/** Variables of the GitHub App that comments on planners' plans. */
export const GITHUB_APP_VARIABLES = {
  GITHUB_APP_ID: optional("GitHub App that comments on pull requests: its client id or app id"),
  GITHUB_APP_PRIVATE_KEY,
  GITHUB_APP_OWNERS,
  GITHUB_API_URL: variable(
    "URL of GitHub's REST API; for GitHub Enterprise Server `https://HOST/api/v3`",
    (raw) => httpUrl(raw).replace(/\/+$/, ""),
    "https://api.github.com",
  ),
};

type Values = {
  [K in keyof typeof GITHUB_APP_VARIABLES]: ReturnType<(typeof GITHUB_APP_VARIABLES)[K]["parse"]>;
};

/** Owners on whose repositories each organization may comment, in lower case. */
type Owners = ReadonlyMap<string, ReadonlySet<string>>;

export interface GithubAppSettings {
  id: string;
  privateKey: KeyObject;
  apiUrl: string;
  owners?: Owners | undefined;
}

/** Returns the configured app; undefined if there is none. @throws {Error} if the id or the key is missing */
export function githubAppOf(values: Values): GithubAppSettings | undefined {
  const { GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: privateKey, GITHUB_API_URL: apiUrl } = values;
  const owners = values.GITHUB_APP_OWNERS;
  if (id !== undefined && privateKey !== undefined) return { id, privateKey, apiUrl, owners };
  if (id === undefined && privateKey === undefined) return undefined;
  throw new Error("configuration: set both GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, or neither");
}

/** Reads a key in PKCS#1, GitHub's format, or PKCS#8. @throws {Error} that doesn't contain the key */
function privateKeyOf(raw: string): KeyObject {
  const key = readKey(raw.replaceAll(String.raw`\n`, "\n"));
  if (key?.asymmetricKeyType !== "rsa") throw new Error("must be an RSA private key in PEM format");
  return key;
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function ownersOf(raw: string): Owners {
  const owners = new Map<string, Set<string>>();
  for (const pair of commaSeparated(raw.toLowerCase())) {
    const [orgId = "", owner = "", ...rest] = pair.split(":");
    if (!(orgId === ANY || isUuid(orgId)) || owner === "" || rest.length > 0)
      throw new Error("must be `org_id:owner` pairs, separated by commas");
    owners.set(orgId, (owners.get(orgId) ?? new Set()).add(owner));
  }
  return owners;
}

function hasAny(set: ReadonlySet<string> | undefined, values: readonly string[]): boolean {
  return values.some((value) => set?.has(value));
}

/** Credential of the app's installation on a repository. */
interface Installation {
  token: string;
  /** Username that the app's comments have. */
  botLogin: string;
}

/** Access to the repositories on which the app is installed. */
export interface GithubApp {
  apiUrl: string;
  /** Returns whether the operator lets an organization work there; undefined if the repository decides. */
  isFor(orgId: string, repository: string, work: HostWork): boolean | undefined;
  /** Returns the installation with a token for this work, cached. @throws {HostFailure} `app_not_installed` */
  installation(
    repository: string,
    work: HostWork,
    connect: (headers: Record<string, string>) => Api,
  ): Promise<Installation>;
  /** Drops the cached credentials of a repository, because they are no longer valid. */
  forget(repository: string): void;
}

const Installed = t.Object({ id: t.Integer(), app_slug: t.String({ pattern: String.raw`^[\w-]{1,100}$` }) });
const AccessToken = t.Object({
  token: t.String({ pattern: String.raw`^[!-~]+$`, maxLength: 10_000 }),
  expires_at: t.String(),
});

/** Returns whether `GITHUB_APP_OWNERS` lets an organization work on a repository; undefined if the repository decides. */
function mayWork(
  owners: GithubAppSettings["owners"],
  { orgId, repository, work }: { orgId: string; repository: string; work: HostWork },
): boolean | undefined {
  if (owners === undefined) return undefined;
  const [owner = ""] = repository.toLowerCase().split("/");
  const lets = (org: string): boolean => hasAny(owners.get(org), [owner, ANY]);
  if (lets(orgId.toLowerCase())) return true;
  // Any organization may comment, but code is shown only to one that is named.
  if (lets(ANY)) return work === "comment" ? true : undefined;
  return false;
}

export function createGithubApp({ id, privateKey, apiUrl, owners }: GithubAppSettings): GithubApp {
  const known = new Map<string, Installation & { until: number }>();

  async function install(
    repository: string,
    work: HostWork,
    connect: (headers: Record<string, string>) => Api,
  ): Promise<Installation & { until: number }> {
    const permissions = { ...PERMISSIONS[work], ...(owners === undefined && READ_FILE) };
    const api = connect(githubHeaders(await appToken(id, privateKey)));
    const path = `/repos/${repositoryPath(repository)}/installation`;
    const { id: installation, app_slug: slug } = await orNotInstalled(api.ask({ path }, Installed));
    const { token, expires_at: expiresAt } = await orNotInstalled(
      api.ask(
        {
          method: "POST",
          path: `/app/installations/${installation}/access_tokens`,
          body: { repositories: [repository.split("/")[1]], permissions },
        },
        AccessToken,
      ),
    );
    const end = Date.parse(expiresAt) - MARGIN_MS;
    const until = Math.min(Number.isNaN(end) ? 0 : end, Date.now() + KEEP_MS);
    return { token, botLogin: `${slug}[bot]`, until };
  }

  return {
    apiUrl,
    isFor: (orgId, repository, work) => mayWork(owners, { orgId, repository, work }),
    async installation(repository, work, connect) {
      const key = keyOf(repository, work);
      const kept = known.get(key);
      if (kept && kept.until > Date.now()) return kept;
      const fresh = await install(repository, work, connect);
      known.delete(key);
      known.set(key, fresh);
      for (const oldest of known.keys()) {
        if (known.size <= MAX_KEPT) break;
        known.delete(oldest);
      }
      return fresh;
    },
    forget(repository) {
      for (const work of keysOf(PERMISSIONS)) known.delete(keyOf(repository, work));
    },
  };
}

const keyOf = (repository: string, work: HostWork): string => `${work} ${repository.toLowerCase()}`;

export function githubHeaders(token: string): Record<string, string> {
  return {
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    authorization: `Bearer ${token}`,
  };
}

/** Creates the app's own token, valid for nine minutes. A clock that is off by a minute does no harm. */
async function appToken(id: string, key: KeyObject): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: "RS256" })
    .setIssuer(id)
    .setIssuedAt(now - 60)
    .setExpirationTime(now + 9 * 60)
    .sign(key);
}

function orNotInstalled<T>(asked: Promise<T>): Promise<T> {
  return orWhen(["not_found"], asked, () => {
    throw new HostFailure("app_not_installed");
  });
}
