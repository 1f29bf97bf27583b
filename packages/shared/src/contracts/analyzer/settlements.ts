import { Type as t, type Static } from "@sinclair/typebox";

import { Actor, SpeaksFor, Timestamp, Uuid } from "../common.ts";
import { defineRequest, words } from "../contract.ts";
import { DriftFingerprint } from "../drift-fingerprint.ts";
import { AttributeChange } from "./analysis.ts";
import { ChangeRequest } from "./change-request.ts";

/** Ways to settle a change of drift. */
export const SETTLEMENT_WAYS = ["accept", "revert", "adopt", "forget"] as const;
export const SettlementWay = words(SETTLEMENT_WAYS);
export type SettlementWay = Static<typeof SettlementWay>;

/** Reasons why a change can't be settled in code. */
export const SETTLEMENT_REFUSALS = {
  not_applicable: "the kind of the change doesn't fit `how`",
  no_source: "no IaC source declares the resource",
  no_repository: "the source has no `repository`",
  code_unavailable: "the code host doesn't give access to the code",
  not_declared: "the folder doesn't declare the resource",
  ambiguous_declaration: "the folder declares it more than once",
  json_syntax: "it is declared in JSON",
  unreadable_code: "a file of the folder can't be read",
  generated_file: "the file is generated",
  overridden: "an override file changes it",
  repeated: "`count` or `for_each` repeats it, so that an edit would change several instances",
  other_module: "the code of its module isn't in the folder",
  shared_module: "its module is called more than once",
  dynamic_block: "a `dynamic` block generates it",
  missing_block: "its block isn't in the code",
  ambiguous_block: "several blocks may be meant",
  ambiguous_item: "several items of a list may be meant",
  expression: "an expression sets the value",
  heredoc: "a heredoc sets the value",
  variable: "a variable sets the value, and its value isn't in the folder for certain",
  shared_value: "other code reads the value, too",
  secret: "the value is secret or masked",
  computed: "only the provider can set it",
  code_differs: "the code declares neither the declared value of the state nor the live one",
  referenced: "other code refers to the resource",
  overlapping: "another change of the patch edits the same code",
  too_large: "the patch would be too large",
} as const;
export type SettlementRefusalCode = keyof typeof SETTLEMENT_REFUSALS;
const CODES = Object.keys(SETTLEMENT_REFUSALS);

export const SettlementRefusal = t.Object({
  code: t.Unsafe<SettlementRefusalCode>({
    ...words(CODES),
    description: Object.entries(SETTLEMENT_REFUSALS)
      .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
      .join("; "),
  }),
  message: t.String(),
  path: t.Optional(t.String({ description: "File that shows why" })),
  line: t.Optional(t.Integer({ description: "Line in that file, from 1" })),
});
export type SettlementRefusal = Static<typeof SettlementRefusal>;

/** Result of settling a change in code. */
export const Settlement = t.Object({
  how: SettlementWay,
  patch: t.String({
    description: "Unified diff from the root of the repository. Empty if no code has to change",
  }),
  files: t.Array(t.Object({ path: t.String(), content: t.String() }), {
    description: "The changed files with their whole content",
  }),
  explanation: t.String(),
  commands: t.Optional(
    t.Array(t.String(), { description: "Commands that revert the change, with `revert`" }),
  ),
  expected_plan: t.Optional(
    t.Object(
      { address: t.String(), actions: t.Array(t.String()), attribute_changes: t.Array(AttributeChange) },
      { description: "The plan that these commands should show, with `revert`" },
    ),
  ),
  refused: t.Optional(
    t.Object(SettlementRefusal.properties, { description: "Set if the change can't be settled this way" }),
  ),
  change_request: t.Optional(ChangeRequest),
});
export type Settlement = Static<typeof Settlement>;

export const SettlementInput = t.Object({
  how: t.Unsafe<SettlementWay>({
    ...SettlementWay,
    description:
      "`accept` edits the code so that it says what is live. `revert` returns the commands that restore what the code says. `forget` removes a missing resource from code and state. `adopt` returns the import and the resource block of an undeclared resource; `POST …/adoptions` adopts several",
  }),
  open_change_request: t.Optional(
    t.Boolean({
      default: false,
      description:
        "Whether to open or update the source's merge or pull request, with `accept`, `forget` and `adopt`",
    }),
  ),
  source_id: t.Optional(
    t.Unsafe<string>({
      ...Uuid,
      description:
        "IaC source whose code an adopted resource joins, only with `adopt`. Default with `open_change_request`: the only source with a repository",
    }),
  ),
});

/** Ways to settle a change that a merge or pull request can contain. */
export const REQUESTED_WAYS = ["accept", "forget", "adopt"] as const;
export type RequestedWay = (typeof REQUESTED_WAYS)[number];

/** The settlement of a change that is in the merge or pull request of a source. */
export const RequestedSettlement = t.Object({
  how: words(REQUESTED_WAYS),
  source_id: Uuid,
  decided_by: Actor,
  decided_at: Timestamp,
  change_request: t.Optional(
    t.Object(ChangeRequest.properties, {
      description: "The request as Leeway last saw it. Absent if it was never opened",
    }),
  ),
});

/** Returns the settlement of a change that is requested; empty if none is. */
export const GetSettlement = defineRequest("analyzer.settlements.get", {
  input: t.Object({ org_id: Uuid, fingerprint: DriftFingerprint }),
  output: t.Object({ settlement: t.Optional(RequestedSettlement) }),
});

/**
 * Settles a change of drift in the code of its source.
 * @throws {AppError} `not_found` if no account has the change now; `repository_mismatch`; `unavailable`
 */
export const SettleChange = defineRequest("analyzer.settlements.create", {
  input: t.Composite([
    t.Object({
      org_id: Uuid,
      fingerprint: DriftFingerprint,
      decided_by: Actor,
      speaks_for: t.Optional(SpeaksFor),
    }),
    SettlementInput,
  ]),
  output: Settlement,
  timeoutMs: 180_000,
});

/** Max number of changes settled at once: as many as one merge or pull request has. */
export const MAX_SETTLED = 100;

export const SettlementsInput = t.Object({
  how: t.Unsafe<RequestedWay>({
    ...words(REQUESTED_WAYS),
    description: "`accept` and `forget` change the code of each change's source; `adopt` that of `source_id`",
  }),
  fingerprints: t.Array(DriftFingerprint, { minItems: 1, maxItems: MAX_SETTLED, uniqueItems: true }),
  source_id: t.Optional(
    t.Unsafe<string>({
      ...Uuid,
      description:
        "IaC source whose code adopted resources join, only with `adopt`. Default: the only source with a repository",
    }),
  ),
});

/**
 * Settles changes of drift in the merge or pull requests of their sources.
 * @throws {AppError} `repository_mismatch`; `unavailable`
 */
export const SettleMany = defineRequest("analyzer.settlement_batches.create", {
  input: t.Composite([
    t.Object({ org_id: Uuid, decided_by: Actor, speaks_for: t.Optional(SpeaksFor) }),
    SettlementsInput,
  ]),
  output: t.Object({
    settlements: t.Array(
      t.Object({
        fingerprint: DriftFingerprint,
        explanation: t.String(),
        refused: t.Optional(
          t.Object(SettlementRefusal.properties, { description: "Set if the change isn't in a request" }),
        ),
      }),
      { description: "One for each fingerprint, in the same order" },
    ),
    change_requests: t.Array(t.Composite([t.Object({ source_id: Uuid }), ChangeRequest]), {
      description: "One for each source whose code changes",
    }),
  }),
  timeoutMs: 180_000,
});

/**
 * Withdraws the settlement of a change, and updates or closes the request of its source.
 * @throws {AppError} `not_found` if it has none; `repository_mismatch`; `unavailable`
 */
export const WithdrawSettlement = defineRequest("analyzer.settlements.delete", {
  input: t.Object({ org_id: Uuid, fingerprint: DriftFingerprint, speaks_for: t.Optional(SpeaksFor) }),
  output: t.Object({ change_request: t.Optional(ChangeRequest) }),
  timeoutMs: 180_000,
});
