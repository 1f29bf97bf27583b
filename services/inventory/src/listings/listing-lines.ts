import { AppError } from "@leeway/shared/errors";

import type { Cloud, ListedResource } from "../clouds/cloud.ts";
import { asStored } from "../documents/copy-text.ts";
import type { Live } from "../matching/matcher.ts";
import { isForeign, listedLine, type ListedAccount } from "./listed-line.ts";

/** Longer ones don't fit an index; no cloud has them. */
const LONGEST_ID_BYTES = 2_000;
const LONGEST_TYPE_BYTES = 300;

/** Makes lines for COPY of the resources of a listing, in the order in which they come. */
export class ListingLines {
  /** Resources of the account, duplicates included. */
  seen = 0;
  /** Rows that plainly belong to another account. */
  foreign = 0;
  /** How long `cut` is by now. */
  characters = 0;
  /** Canonical types that it shows. */
  readonly types = new Set<string>();
  /** Whether any of them is of a type that its cloud lists in its own right. */
  isAnyListed = false;
  /** Whether something may own one of its resources. */
  hasOwned = false;
  #lines: string[] = [];
  readonly #cloud: Cloud;
  readonly #account: ListedAccount;
  readonly #shard: string | undefined;

  /** @param shard the part of a scan that shows them all */
  constructor(cloud: Cloud, account: ListedAccount, shard?: string) {
    this.#cloud = cloud;
    this.#account = account;
    this.#shard = shard;
  }

  /**
   * @returns what matching looks at; undefined for a resource of another account, which is left out
   * @throws {AppError} `unsupported_format` for an id that is too long to be one
   */
  take(resource: ListedResource): Live | undefined {
    if (isForeign(resource, this.#cloud, this.#account)) {
      this.foreign += 1;
      return undefined;
    }
    refuseOversize(resource);
    this.seen += 1;
    const listed = listedLine(resource, this.#cloud, this.#account, this.#shard);
    this.#lines.push(listed.line);
    this.characters += listed.line.length + 1;
    this.types.add(asStored(listed.canonicalType));
    this.isAnyListed ||= listed.isListed;
    this.hasOwned ||= listed.isOwned;
    return listed;
  }

  /** Notes that a type, as the cloud calls it, was listed and that there is nothing of it. */
  lack(type: string): void {
    this.types.add(asStored(this.#cloud.catalog.byType(type)?.terraform[0] ?? type));
  }

  /** The lines since the last time, each with its line feed. @param ends what is added to each of them */
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
    `the id ${provider_resource_id.slice(0, 80)}… is longer than ${LONGEST_ID_BYTES} bytes, or its type than ${LONGEST_TYPE_BYTES}`,
  );
}
