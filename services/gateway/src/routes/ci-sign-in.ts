import { Timestamp, Uuid } from "@leeway/shared/contracts/common";
import { sha256 } from "@leeway/shared/values/digest";
import { AppError } from "@leeway/shared/values/errors";
import { Type as t } from "@sinclair/typebox";

import { makeApiKey } from "../auth/api-key.ts";
import { fitsClaims, namespaceOf, type CiJob } from "../auth/ci-claims.ts";
import { CiRole } from "../auth/roles.ts";
import type { Gateway } from "../gateway.ts";
import { limitSignIns } from "../http/access.ts";
import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { API_KEY_WITH_SECRET, ID, LATER } from "../examples/common.ts";
import {
  findCiIdentities,
  insertCiToken,
  noteExchange,
  type FoundIdentity,
} from "../auth/store/ci-identities.ts";

const TOKEN_SECONDS = 15 * 60;
/** Time that an exchange is remembered beyond the token's expiry, because clocks differ. */
const LEEWAY_MS = 60_000;
/** Maximum of identities in a namespace that are compared if no organization is named. */
const MAX_IDENTITIES = 200;

const exchange = endpoint({
  method: "POST",
  path: "/api/v2/auth/ci",
  operationId: "exchangeCiToken",
  tag: "CI identities",
  summary: "Exchange a CI job's id token",
  description: `Exchanges an id token of a GitLab CI or GitHub Actions job for a token that works like an API key for 15 minutes, for the job's own repository. The id token needs this server's address as audience and can be exchanged once. The organization is found by the claims of its CI identities; if several match, \`org_id\` is required.`,
  who: "public",
  body: t.Object({
    token: t.String({ minLength: 1, maxLength: 16_000, writeOnly: true }),
    org_id: t.Optional(Uuid),
  }),
  bodyExample: { token: "eyJhbGciOiJSUzI1NiJ9.…", org_id: ID.org },
  success: {
    status: 200,
    description: "The token",
    schema: t.Object({
      token: t.String({ description: "Send it like an API key" }),
      expires_at: Timestamp,
      org_id: Uuid,
      role: CiRole,
      repository: t.String({ description: "The only repository the token speaks for" }),
    }),
    example: {
      token: API_KEY_WITH_SECRET.key,
      expires_at: LATER,
      org_id: ID.org,
      role: "member",
      repository: "acme/infra",
    },
  },
  errors: ["forbidden", "org_required", "rate_limited", "unauthenticated", "unavailable"],
  async handle(call, gateway) {
    const { token, org_id: orgId } = call.body;
    return limitSignIns(call, gateway, async () => {
      const job = await gateway.ciVerifier.verify(token);
      const identity = await identityOf(gateway, job, orgId?.toLowerCase());
      const made = await issue(gateway, job, identity);
      return json({ ...made, org_id: identity.orgId, role: identity.role, repository: job.repository });
    });
  },
});

/** Returns the identity that matches a job; if several in the organization do, one with the highest role. */
async function identityOf(
  { database }: Gateway,
  job: CiJob,
  orgId: string | undefined,
): Promise<FoundIdentity> {
  const { issuer, repository } = job;
  const namespace = namespaceOf(repository) ?? "";
  const atMost = orgId === undefined ? MAX_IDENTITIES : 2 ** 31 - 1;
  const known = await findCiIdentities(database.system, { issuer, namespace, orgId, atMost });
  const own = known.filter(({ claims }) => fitsClaims(claims, job));
  if (known.length === atMost || new Set(own.map((one) => one.orgId)).size > 1) {
    throw new AppError(
      "org_required",
      "several organizations have a CI identity for this job; choose one with org_id",
    );
  }
  const found = own.find(({ role }) => role === "member") ?? own[0];
  if (found) return found;
  const at = [job.ref && `ref ${job.ref}`, job.environment && `environment ${job.environment}`];
  const described = [`${job.claim} ${repository}`, ...at].filter(Boolean).join(", ");
  throw new AppError(
    "forbidden",
    `no CI identity matches this job (${described}); an owner or admin can add one in the organization's ci-identities`,
  );
}

/** Exchanges a job's token for one of Leeway's. @throws {AppError} `unauthenticated` if it was exchanged before */
function issue(
  { database }: Gateway,
  job: CiJob,
  { orgId, id }: FoundIdentity,
): Promise<{ token: string; expires_at: string }> {
  const { key: token, ...secret } = makeApiKey();
  const tokenHash = sha256(`${job.issuer}\n${job.tokenId}`);
  const expiresAt = new Date(job.expiresAt * 1000 + LEEWAY_MS);
  return database.transaction(orgId, async (tx) => {
    if (!(await noteExchange(tx, { tokenHash, expiresAt })))
      throw new AppError(
        "unauthenticated",
        "the token was already exchanged; request a new one in the job, or use the first response",
      );
    const until = await insertCiToken(tx, id, { job, secret, seconds: TOKEN_SECONDS });
    if (!until) throw new AppError("forbidden", "the CI identity of this job was just deleted");
    return { token, expires_at: until.toISOString() };
  });
}

export const ciSignIn: readonly Endpoint[] = [exchange];
