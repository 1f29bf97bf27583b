import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { DriftActor } from "@leeway/shared/contracts/inventory/drift";
import type { JsonObject } from "@leeway/shared/values/json";

/** A part of a cloud account that is listed separately and can fail without the others. */
export interface Shard {
  service: string;
  /** Absent if the cloud lists all regions at once. */
  region?: string;
}

/** Failure of a shard, in our words; it contains no unchecked text from the cloud. */
export interface ShardFailure {
  code: "permission_denied" | "throttled" | "timeout" | "unsupported" | "internal";
  message: string;
  /** The cloud's types that weren't listed while the others of the shard were. If absent, no type is certain. */
  types?: readonly string[];
  /** Properties that the failure removed from listed rows; the inventory keeps their previous values. */
  unreadProperties?: readonly string[];
}

/** Result of verifying credentials. */
export interface Verification {
  /** Identity in the cloud's terms, such as an ARN; absent if the credentials are rejected. */
  identity?: string;
  checks: {
    name: string;
    ok: boolean;
    /** Set for permissions that scans can do without; the feature that uses them is then left out. */
    optional?: true;
    missing?: string[];
    message?: string;
  }[];
}

/** Result of fetching one resource's properties. */
export type Enrichment =
  | { outcome: "enriched"; properties: JsonObject }
  | { outcome: "failed"; reason: "permission_denied" | "not_found" | "unsupported"; message: string };

/** A change to a resource, from the cloud's audit log. */
export interface AuditEvent {
  /** Actor in the cloud's terms: an ARN, an email address. */
  principal: string;
  /** The cloud's name for the operation, such as `ModifyInstanceAttribute`. */
  event: string;
  at: Date;
}

/** A resource in the cloud's terms. */
export interface CloudResource {
  providerId: string;
  /** The cloud's type, or Terraform's if the resource is only declared. */
  type: string;
  region?: string;
  /** Display name. */
  name?: string;
  /** Whether the resource only grants access to another one. */
  isGrant?: boolean;
}

/** A state as stored in the cloud; `edition` identifies its version. */
export interface KeptState {
  bytes: Uint8Array<ArrayBuffer>;
  edition: string;
}

/** A cloud account that is read with credentials. */
export interface Connector {
  /** Reports working calls and missing permissions. @throws {AppError} `unavailable` when the cloud doesn't answer */
  verify(signal: AbortSignal): Promise<Verification>;
  /** Returns the shards of a full scan of the requested regions, or of all regions. */
  shards(regions: readonly string[], signal: AbortSignal): Promise<Shard[]>;
  /**
   * Returns the cloud's types that a shard lists; absent or undefined means any type. In clouds with `taggedTypesOf`,
   * types without a page in the listing are listed only if tagged; see `ListingFormat.pageType`.
   */
  typesOf?(shard: Shard): readonly string[] | undefined;
  /**
   * Returns further types that are listed only if tagged, in all regions, as the cloud reports them now.
   * @throws {ConnectorError}
   */
  taggedTypesOf?(shard: Shard, signal: AbortSignal): Promise<readonly string[]>;
  /** Reports whether other shards list the same resources, except types of `taggedTypesOf` or outside the catalog. */
  repeats?(shard: Shard): boolean;
  /**
   * Lists a shard. Documents have the format of the cloud's own CLI, which
   * `readListing` understands. Throttled pages are retried.
   * @throws {ConnectorError} when the shard fails
   */
  list(shard: Shard, signal: AbortSignal): AsyncIterable<JsonObject>;
  /**
   * Fetches one resource; absent if listings already have all properties. Throttled
   * calls are retried for `patienceMs`. The default suits a user who waits.
   * @throws {ConnectorError} such as `throttled`
   */
  enrich?(resource: CloudResource, signal: AbortSignal, patienceMs?: number): Promise<Enrichment>;
  /**
   * Reads a state that the cloud stores; returns undefined if its edition is still `known`.
   * @throws {ConnectorError}; {AppError} `not_found`, `payload_too_large`;
   * `invalid_parameter` for another cloud's backend
   */
  fetchState(
    backend: ShownBackend,
    known: string | undefined,
    signal: AbortSignal,
  ): Promise<KeptState | undefined>;
  readonly auditLog: DriftActor["source"];
  /** Returns successful changes to a resource in a time range, without reads. @throws {ConnectorError} */
  audit(
    resource: CloudResource,
    between: { since: Date; until: Date },
    signal: AbortSignal,
  ): Promise<AuditEvent[]>;
}

/** Limits for one call to a cloud. */
export interface CallLimits {
  /** Time until the complete answer. */
  timeoutMs?: number | undefined;
  /** Max size of an answer. */
  maxBytes?: number | undefined;
}

/** A refusal or a missing answer of a cloud. */
export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
  readonly failure: ShardFailure;

  constructor(failure: ShardFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.failure = failure;
  }
}
