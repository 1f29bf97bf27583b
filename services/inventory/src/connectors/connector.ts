import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { DriftActor } from "@leeway/shared/contracts/inventory/drift";
import type { JsonObject } from "@leeway/shared/json";

/** A part of a cloud account that is listed by itself, and whose failure is its own. */
export interface Shard {
  service: string;
  /** Absent where the cloud lists everywhere at once. */
  region?: string;
}

/** What went wrong with a shard, in words of ours; nothing that a cloud says is in it unread. */
export interface ShardFailure {
  code: "permission_denied" | "throttled" | "timeout" | "unsupported" | "internal";
  message: string;
  /** The cloud's types that weren't listed, where the others of the shard were; absent: none was for sure. */
  types?: readonly string[];
  /** Properties of what was listed that its rows lack for it: what is known of them stays. */
  untold?: readonly string[];
}

/** What credentials are good for. */
export interface Verification {
  /** Who they are in the cloud's words, such as an ARN; absent when they don't let anybody in. */
  identity?: string;
  checks: {
    name: string;
    ok: boolean;
    /** Accounts are read without it too; what it is good for is left out then. */
    optional?: true;
    missing?: string[];
    message?: string;
  }[];
}

/** What became of fetching one resource's properties. */
export type Enrichment =
  | { outcome: "enriched"; properties: JsonObject }
  | { outcome: "failed"; reason: "permission_denied" | "not_found" | "unsupported"; message: string };

/** Something that was done to a resource, as its cloud's audit log tells. */
export interface AuditEvent {
  /** Who did it, in the cloud's words: an ARN, an e-mail address. */
  principal: string;
  /** What the cloud calls what was done, such as `ModifyInstanceAttribute`. */
  event: string;
  at: Date;
}

/** A resource as its cloud knows it. */
export interface CloudResource {
  providerId: string;
  /** The cloud's, or Terraform's where the resource is only declared. */
  type: string;
  region?: string;
  /** What people call it. */
  name?: string;
  /** Whether it is only about who may do what with it. */
  isGrant?: boolean;
}

/** A state as it was read where it is kept; `edition` tells it from the next one there. */
export interface KeptState {
  bytes: Uint8Array<ArrayBuffer>;
  edition: string;
}

/** A cloud account that is read with credentials. */
export interface Connector {
  /** Says what works and what permission is missing. @throws {AppError} `unavailable` when the cloud doesn't answer */
  verify(signal: AbortSignal): Promise<Verification>;
  /** The shards of a full scan, in the regions that are wished, or in all. */
  shards(regions: readonly string[], signal: AbortSignal): Promise<Shard[]>;
  /**
   * The cloud's types that a shard shows; absent, or undefined: any. Where a cloud has `taggedTypesOf`, what is tagged alone is
   * shown of one that no page of the listing is of (see `ListingFormat.pageType`).
   */
  typesOf?(shard: Shard): readonly string[] | undefined;
  /** Further types of which what is tagged alone is shown, everywhere, as the cloud says it now. @throws {ConnectorError} */
  taggedTypesOf?(shard: Shard, signal: AbortSignal): Promise<readonly string[]>;
  /** Whether others show all that a shard does but for what is of `taggedTypesOf`, or of no type that the catalog has. */
  repeats?(shard: Shard): boolean;
  /**
   * Lists a shard: documents as the cloud's own tool prints them, in a format that `readListing` knows. A page
   * that the cloud asks to wait for is waited for.
   * @throws {ConnectorError} for what fails the shard
   */
  list(shard: Shard, signal: AbortSignal): AsyncIterable<JsonObject>;
  /**
   * Fetches one resource; absent where listing gives all there is. A cloud that asks to slow down is waited for so long,
   * as somebody who looks on would if nothing is said.
   * @throws {ConnectorError} as `throttled` and the like
   */
  enrich?(resource: CloudResource, signal: AbortSignal, patienceMs?: number): Promise<Enrichment>;
  /**
   * Reads a state that the cloud keeps; undefined where it is still the one called `known`.
   * @throws {ConnectorError}; {AppError} `not_found`, `payload_too_large`; `invalid_parameter` for another cloud's backend
   */
  fetchState(
    backend: ShownBackend,
    known: string | undefined,
    signal: AbortSignal,
  ): Promise<KeptState | undefined>;
  readonly auditLog: DriftActor["source"];
  /** What was done to a resource, and not refused, between two points of time; reads are left out. @throws {ConnectorError} */
  audit(
    resource: CloudResource,
    between: { since: Date; until: Date },
    signal: AbortSignal,
  ): Promise<AuditEvent[]>;
}

/** What one call of a cloud may take. */
export interface CallLimits {
  /** Until the answer is there in full. */
  timeoutMs?: number | undefined;
  /** Largest answer that is read. */
  mostBytes?: number | undefined;
}

/** A cloud that refused, or didn't answer. */
export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
  readonly failure: ShardFailure;

  constructor(failure: ShardFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.failure = failure;
  }
}
