import { words } from "@leeway/shared/contracts/contract";
import { Actor, Timestamp, Uuid } from "@leeway/shared/contracts/common";
import { AuditDetails } from "@leeway/shared/contracts/gateway/audit";
import { Type as t, type Static } from "@sinclair/typebox";

import { CiClaims } from "./auth/ci-claims.ts";
import { CiRole, KeyRole, Role } from "./auth/roles.ts";

export const Organization = t.Object({
  id: Uuid,
  name: t.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Organization = Static<typeof Organization>;

/** Organization as shown to a member, with the member's role. */
export const OwnOrganization = t.Composite([Organization, t.Object({ role: Role })]);

export const Member = t.Object({
  id: Uuid,
  email: t.Optional(
    t.String({ description: "Absent for a founder whose identity provider returns no address" }),
  ),
  person_id: t.Optional(
    t.String({
      format: "uuid",
      description: "The member's person id. Absent until the invitation is accepted",
    }),
  ),
  role: Role,
  status: words(["invited", "active"]),
  created_at: Timestamp,
  joined_at: t.Optional(Timestamp),
});
export type Member = Static<typeof Member>;

export const ApiKey = t.Object({
  id: Uuid,
  name: t.String(),
  role: KeyRole,
  repositories: t.Optional(
    t.Array(t.String(), {
      description: "Patterns of the repositories the key may speak for. Absent for all",
    }),
  ),
  person_id: t.Optional(
    t.String({
      format: "uuid",
      description:
        "Member who signed in with `leeway login`. The key acts as this person, with `role` or their own role, whichever is lower",
    }),
  ),
  prefix: t.String({ description: "The visible prefix of the newest secret" }),
  created_by: Actor,
  created_at: Timestamp,
  expires_at: t.Optional(Timestamp),
  last_used_at: t.Optional(Timestamp),
});
export type ApiKey = Static<typeof ApiKey>;

/** Key with its secret, which is shown only once. */
export const ApiKeyWithSecret = t.Composite([
  ApiKey,
  t.Object({ key: t.String({ description: "The API key. It is only shown in this response" }) }),
]);

/** Rule that lets a host's CI jobs call for an organization without a key. */
export const CiIdentity = t.Object({
  id: Uuid,
  issuer: t.String(),
  claims: CiClaims,
  role: CiRole,
  created_by: Actor,
  created_at: Timestamp,
  last_used_at: t.Optional(Timestamp),
});
export type CiIdentity = Static<typeof CiIdentity>;

const AuditOutcome = words(["unknown", "done", "refused"]);
export type AuditOutcome = Static<typeof AuditOutcome>;

const NamedActor = t.Composite([
  Actor,
  t.Object({
    name: t.Optional(
      t.String({
        description:
          "E-mail address of a person in the organization, or name of a key. Absent for deleted keys",
      }),
    ),
  }),
]);

export const AuditEntry = t.Object({
  id: Uuid,
  at: Timestamp,
  actor: NamedActor,
  action: t.String({ description: "`<entity>.<verb>`" }),
  target: t.Object({ type: t.String(), id: t.Optional(t.String()) }),
  details: AuditDetails,
  outcome: AuditOutcome,
  request_id: t.String(),
  sequence: t.Optional(
    t.Integer({ description: "Position in the chain. Absent in entries older than the chain" }),
  ),
  previous_hash: t.Optional(t.String({ description: "`hash` of the previous entry; empty for the first" })),
  hash: t.Optional(t.String({ description: "SHA-256 of the entry's canonical form, in hexadecimal" })),
});
export type AuditEntry = Static<typeof AuditEntry>;
