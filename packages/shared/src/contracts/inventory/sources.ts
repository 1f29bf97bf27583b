import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import {
  BodyReference,
  nameUpTo,
  NewId,
  page,
  PageInput,
  SourceRepository,
  SpeaksFor,
  Timestamp,
  Uuid,
} from "../common.ts";
import { Backend, ReadError, ShownBackend } from "./backends.ts";

export const SOURCE_KINDS = ["terraform", "pulumi", "cloudformation"] as const;

/** A source of declarations: one state of one tool. */
export const IacSource = t.Object({
  id: Uuid,
  name: t.String(),
  kind: t.Optional(words(SOURCE_KINDS)),
  cloud_account_id: t.Optional(Uuid),
  repository: t.Optional(
    t.Unsafe<SourceRepository>({
      ...SourceRepository,
      description:
        "Repository of the source, and where its code is. Only its plans and comments may change the source. Absent until a plan names one",
    }),
  ),
  last_serial: t.Optional(t.Integer()),
  lineage: t.Optional(t.String()),
  resource_count: t.Integer({ description: "Managed instances in the state" }),
  matched_count: t.Integer({ description: "Managed instances that are live" }),
  missing_count: t.Integer({ description: "Managed instances that should be live but aren't" }),
  unobserved_count: t.Integer({
    description: "Managed instances that no listing shows, or that fit several live resources",
  }),
  pushed_at: t.Optional(
    t.Unsafe<string>({ ...Timestamp, description: "When the current state was pushed or read" }),
  ),
  backend: t.Optional(ShownBackend),
  read_at: t.Optional(
    t.Unsafe<string>({
      ...Timestamp,
      description: "When the backend was last read, even if the state was unchanged",
    }),
  ),
  last_error: t.Optional(ReadError),
  planned_at: t.Optional(
    t.Unsafe<string>({ ...Timestamp, description: "When the latest plan for this source was submitted" }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type IacSource = Static<typeof IacSource>;

const Name = nameUpTo(200, "network/prod");

export const NewIacSource = t.Object({
  name: Name,
  cloud_account_id: t.Optional(Uuid),
  repository: t.Optional(SourceRepository),
  backend: t.Optional(Backend),
});
export const IacSourceChanges = t.Object({
  name: t.Optional(Name),
  cloud_account_id: t.Optional(t.Union([Uuid, t.Null()], { description: "null removes the account" })),
  repository: t.Optional(
    t.Union([SourceRepository, t.Null()], {
      description: "null removes the repository. The next plan that names one sets it",
    }),
  ),
  backend: t.Optional(
    t.Union([Backend, t.Null()], { description: "null removes the backend, so that the state is pushed" }),
  ),
});

const One = { org_id: Uuid, source_id: Uuid };

export const CreateSource = defineRequest("inventory.sources.create", {
  input: t.Composite([t.Object({ org_id: Uuid, source_id: NewId }), NewIacSource]),
  output: IacSource,
});
export const ListSources = defineRequest("inventory.sources.list", {
  fromReplica: true,
  input: t.Object({ ...PageInput, account_id: t.Optional(Uuid) }),
  output: page(IacSource),
});
export const GetSource = defineRequest("inventory.sources.get", { input: t.Object(One), output: IacSource });
export const UpdateSource = defineRequest("inventory.sources.update", {
  input: t.Composite([t.Object(One), IacSourceChanges]),
  output: IacSource,
  timeoutMs: 120_000,
});
export const DeleteSource = defineRequest("inventory.sources.delete", {
  input: t.Object(One),
  output: t.Object({}),
  timeoutMs: 120_000,
});
export const PushState = defineRequest("inventory.states.push", {
  input: t.Object({ ...One, speaks_for: t.Optional(SpeaksFor), body: BodyReference }),
  output: IacSource,
  timeoutMs: 240_000,
});

export const ReadState = defineRequest("inventory.states.read", {
  input: t.Object(One),
  output: IacSource,
  timeoutMs: 120_000,
});

export const DECLARED_STATUSES = ["matched", "missing", "unobserved"] as const;

/** One resource that a source declares, with its match. */
export const IacResource = t.Object({
  id: Uuid,
  iac_source_id: Uuid,
  address: t.String(),
  type: t.String(),
  provider_name: t.Optional(t.String()),
  cloud_account_id: t.Optional(Uuid),
  region: t.Optional(t.String()),
  match: t.Object({
    status: words(DECLARED_STATUSES),
    live_resource_id: t.Optional(Uuid),
    key: t.Optional(t.String()),
    conflict: t.Optional(
      t.Boolean({ description: "Whether the same live resource is declared more than once" }),
    ),
    ambiguous: t.Optional(
      t.Boolean({
        description: "Whether several live resources fit. An ambiguous resource is unobserved, not missing",
      }),
    ),
    reason: t.Optional({
      ...words(["account_not_connected"]),
      description:
        "Why it is unobserved. `account_not_connected`: the organization hasn't connected `account`",
    }),
    account: t.Optional(
      t.Object(
        { provider: t.String(), external_id: t.String() },
        { description: "The account in the resource's own identifiers, with `account_not_connected`" },
      ),
    ),
    keys: t.Optional(t.Array(t.String(), { description: "Keys used to find it, most reliable first" })),
  }),
});
export type IacResource = Static<typeof IacResource>;

export const ListIacResources = defineRequest("inventory.iac_resources.list", {
  fromReplica: true,
  input: t.Object({
    ...PageInput,
    source_id: t.Optional(Uuid),
    account_id: t.Optional(Uuid),
    type: t.Optional(t.String()),
    match: t.Optional(words(DECLARED_STATUSES)),
  }),
  output: page(IacResource),
});
export const GetIacResource = defineRequest("inventory.iac_resources.get", {
  input: t.Object({ org_id: Uuid, resource_id: Uuid }),
  output: IacResource,
});

/** Returns Terraform sources that know their repository, by name: the one with the id, or those of repositories. At most 100. */
export const FindCodeSources = defineRequest("inventory.code_sources.find", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    source_id: t.Optional(Uuid),
    /** Paths of repositories. */
    paths: t.Optional(t.Array(t.String(), { maxItems: 100 })),
  }),
  output: t.Object({
    sources: t.Array(t.Object({ id: Uuid, name: t.String(), repository: SourceRepository })),
  }),
});
