import { asStored } from "@leeway/shared/values/copy-text";
import { AppError } from "@leeway/shared/values/errors";

import type { Cloud, ListedResource } from "../cloud.ts";
import type { Live } from "../matching/model.ts";
import { listedLine } from "./listed-line.ts";
import type { RowKind } from "./known-rows.ts";
import { NamedAccounts, type ListedAccount } from "../listings/named-accounts.ts";

/** Max length of an id. Longer ones don't fit into an index, and no cloud has them. */
const LONGEST_ID_BYTES = 2_000;
const LONGEST_TYPE_BYTES = 300;

/** Converts the resources of a listing to lines for COPY, in their order. */
export class ListingLines {
  /** Number of resources of the account, including duplicates. */
  seen = 0;
  /** Accounts in the rows. */
  readonly accounts: NamedAccounts;
  /** Length of the lines that `cut` would return now. */
  characters = 0;
  /** Canonical types in the listing. */
  readonly types = new Set<string>();
  /** Whether any resource has a type that its cloud lists as a separate resource. */
  isAnyListed = false;
  /** Whether any resource has keys of an owner. */
  hasOwned = false;
  #lines: string[] = [];
  readonly #cloud: Cloud;
  readonly #account: ListedAccount;
  readonly #shard: string | undefined;

  /** @param shard the part of a scan that lists them all */
  constructor(cloud: Cloud, account: ListedAccount, shard?: string) {
    this.#cloud = cloud;
    this.#account = account;
    this.#shard = shard;
    this.accounts = new NamedAccounts(cloud, account);
  }

  /**
   * Adds a resource.
   * @param idOf returns the id of a resource that may be stored already
   * @returns the resource for matching; undefined if it belongs to another account and is skipped
   * @throws {AppError} `unsupported_format` for an id that is too long
   */
  take(
    resource: ListedResource,
    idOf?: (kind: Omit<RowKind, "format">) => string | undefined,
  ): Live | undefined {
    const { own } = this.accounts;
    if (this.accounts.takeForeign(resource)) return undefined;
    refuseOversize(resource);
    const listed = listedLine(resource, this.#cloud, this.#account, this.#shard);
    const { id: newId, line, canonicalType, isListed, isOwned, region, keys } = listed;
    const kind = { canonicalType: asStored(canonicalType), isListed, isOwn: this.accounts.own > own };
    const id = idOf?.(kind) ?? newId;
    this.#lines.push(id === newId ? line : id + line.slice(newId.length));
    this.characters += line.length + 1;
    this.#count(kind);
    this.hasOwned ||= isOwned;
    return { id, region, keys };
  }

  /** Counts a resource whose stored row is still right. */
  pass(kind: RowKind): void {
    if (kind.isOwn) this.accounts.addOwn();
    this.#count(kind);
  }

  #count({ canonicalType, isListed }: Omit<RowKind, "format" | "isOwn">): void {
    this.seen += 1;
    this.types.add(canonicalType);
    this.isAnyListed ||= isListed;
  }

  /** Records that a type, under the cloud's name, was listed and has no resources. */
  lack(type: string): void {
    this.types.add(asStored(this.#cloud.catalog.byType(type)?.terraform[0] ?? type));
  }

  /** Returns and clears the collected lines, each with a line feed. @param ends suffixes of the lines */
  cut(ends?: readonly string[]): string {
    if (ends) this.#lines = this.#lines.map((line, index) => `${line}${ends[index] ?? ""}`);
    const text = this.#lines.length === 0 ? "" : `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    this.characters = 0;
    return text;
  }
}

function refuseOversize({ provider_resource_id, provider_type }: ListedResource): void {
  const isTooLong =
    Buffer.byteLength(provider_resource_id) > LONGEST_ID_BYTES ||
    Buffer.byteLength(provider_type) > LONGEST_TYPE_BYTES;
  if (!isTooLong) return;
  throw new AppError(
    "unsupported_format",
    `the id ${provider_resource_id.slice(0, 80)}… exceeds ${LONGEST_ID_BYTES} bytes, or its type exceeds ${LONGEST_TYPE_BYTES}`,
  );
}
