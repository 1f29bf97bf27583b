import { createPrivateKey, type KeyObject } from "node:crypto";

import { commaSeparated, httpUrl, optional, variable, type Variable } from "@leeway/shared/config";
import { isUuid } from "@leeway/shared/contract";
import { Type as t } from "@sinclair/typebox";
import { SignJWT } from "jose";

import type { Api } from "./api.ts";
import { HostFailure, orWhen } from "./failure.ts";
import { repositoryPath } from "./github.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Tokens are good for an hour. */
const KEEP_MS = 55 * 60 * 1000;
const MARGIN_MS = HOUR_MS - KEEP_MS;
const MOST_KEPT = 10_000;
/** What is asked of an installation: no more than it takes to comment. */
const PERMISSIONS = { pull_requests: "write", metadata: "read" };
/** To read whom the repository lets in. */
const READ_FILE = { single_file: "read" };
const ANY = "*";

const GITHUB_APP_PRIVATE_KEY: Variable<KeyObject | undefined> = {
  describe: "The app's private key, PEM; line feeds may be written as `\\n`",
  fallback: "none",
  parse: (raw) => (raw === undefined ? undefined : privateKeyOf(raw)),
};

const GITHUB_APP_OWNERS: Variable<Owners | undefined> = {
  describe:
    "`org_id:owner` pairs, `*` for any: at whose repositories an organization may comment; without it, at those that name it",
  fallback: "none",
  parse: (raw) => (raw === undefined ? undefined : ownersOf(raw)),
};

/** The app by which planners' plans are commented on. */
export const GITHUB_APP_VARIABLES = {
  GITHUB_APP_ID: optional("App on GitHub that comments on pull requests: its client id or app id"),
  GITHUB_APP_PRIVATE_KEY,
  GITHUB_APP_OWNERS,
  GITHUB_API_URL: variable(
    "GitHub's REST API; of GitHub Enterprise Server, `https://HOST/api/v3`",
    (raw) => httpUrl(raw).replace(/\/+$/, ""),
    "https://api.github.com",
  ),
};

type Values = {
  [K in keyof typeof GITHUB_APP_VARIABLES]: ReturnType<(typeof GITHUB_APP_VARIABLES)[K]["parse"]>;
};

/** At whose repositories each organization may comment, in lower case. */
type Owners = ReadonlyMap<string, ReadonlySet<string>>;

export interface GithubAppSettings {
  id: string;
  privateKey: KeyObject;
  apiUrl: string;
  owners?: Owners | undefined;
}

/** The configured app, or undefined when there is none. @throws {Error} when half of it is missing */
export function githubAppOf(values: Values): GithubAppSettings | undefined {
  const { GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: privateKey, GITHUB_API_URL: apiUrl } = values;
  const owners = values.GITHUB_APP_OWNERS;
  if (id !== undefined && privateKey !== undefined) return { id, privateKey, apiUrl, owners };
  if (id === undefined && privateKey === undefined) return undefined;
  throw new Error("configuration: GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY are set together or not at all");
}

/** PKCS#1, which GitHub hands out, or PKCS#8. @throws {Error} that tells nothing of it */
function privateKeyOf(raw: string): KeyObject {
  const key = readKey(raw.replaceAll(String.raw`\n`, "\n"));
  if (key?.asymmetricKeyType !== "rsa") throw new Error("must be an RSA private key in PEM");
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

/** A repository's installation of the app, and the credential for it. */
interface Installation {
  token: string;
  /** Whom the app's comments are by. */
  botLogin: string;
}

/** The app's way into the repositories where it is installed. */
export interface GithubApp {
  apiUrl: string;
  /** Whether the operator lets an organization comment there; undefined where that is for the repository to say. */
  isFor(orgId: string, repository: string): boolean | undefined;
  /** @throws {HostFailure} `app_not_installed` where it isn't */
  installation(repository: string, connect: (headers: Record<string, string>) => Api): Promise<Installation>;
  /** The credential of a repository is no good any more. */
  forget(repository: string): void;
}

const Installed = t.Object({ id: t.Integer(), app_slug: t.String({ pattern: String.raw`^[\w-]{1,100}$` }) });
const AccessToken = t.Object({
  token: t.String({ pattern: String.raw`^[!-~]+$`, maxLength: 10_000 }),
  expires_at: t.String(),
});

export function createGithubApp({ id, privateKey, apiUrl, owners }: GithubAppSettings): GithubApp {
  const known = new Map<string, Installation & { until: number }>();
  const permissions = { ...PERMISSIONS, ...(owners === undefined && READ_FILE) };

  async function install(
    repository: string,
    connect: (headers: Record<string, string>) => Api,
  ): Promise<Installation & { until: number }> {
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
    isFor(orgId, repository) {
      const [owner = ""] = repository.toLowerCase().split("/");
      return owners && [orgId.toLowerCase(), ANY].some((org) => hasAny(owners.get(org), [owner, ANY]));
    },
    async installation(repository, connect) {
      const key = repository.toLowerCase();
      const kept = known.get(key);
      if (kept && kept.until > Date.now()) return kept;
      const fresh = await install(repository, connect);
      known.delete(key);
      known.set(key, fresh);
      for (const oldest of known.keys()) {
        if (known.size <= MOST_KEPT) break;
        known.delete(oldest);
      }
      return fresh;
    },
    forget: (repository) => void known.delete(repository.toLowerCase()),
  };
}

export function githubHeaders(token: string): Record<string, string> {
  return {
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    authorization: `Bearer ${token}`,
  };
}

/** Good for nine minutes; a clock that is a minute off does no harm. */
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
