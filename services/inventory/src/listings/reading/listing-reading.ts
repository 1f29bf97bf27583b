import { AppError } from "@leeway/shared/errors";
import { inflated } from "@leeway/shared/inflated";

import type { ListedResource, ListingFormat } from "../../clouds/cloud.ts";
import { CLOUDS, cloudOf, formatsOf } from "../../clouds/clouds.ts";
import { asStored } from "../../documents/copy-text.ts";
import { readDeclared } from "../../matching/declared-texts.ts";
import { createMatcher, type Live } from "../../matching/matcher.ts";
import { verdictLines } from "../../matching/verdict-lines.ts";
import type { ListedAccount } from "../listed-line.ts";
import { ListingLines } from "../listing-lines.ts";
import { readListing } from "../read-listing.ts";

/** A listing as inflated. */
const MOST_BYTES = 256 << 20;

/** What has been read since the last time. */
export interface ListingPiece {
  /** Lines for COPY. */
  lines: Uint8Array;
  /** Resources of the account by now, duplicates included. */
  seen: number;
}

/** The end of a listing, and what all of it held. */
export interface ListingEnd extends ListingPiece {
  /** Rows that plainly belong to another account. */
  foreign: number;
  formats: Pick<ListingFormat, "name" | "taggedOnly">[];
  /** It names a resource twice: then the verdict is none. */
  repeats: boolean;
  /** What of it is declared, as `verdictLines` has it. */
  verdict: string[];
}

/** Reads a listing chunk by chunk, and finds what of it is declared meanwhile. */
export class ListingReading {
  readonly #lines: ListingLines;
  readonly #listed = new ListedIds();
  readonly #matcher;
  #unseen: Live[] = [];
  readonly #body = new TransformStream<Uint8Array, Uint8Array>();
  readonly #writer = this.#body.writable.getWriter();
  readonly #read: Promise<ListingFormat[]>;

  /** @param declared as `declaredTexts` */
  constructor(account: ListedAccount, declared: readonly string[]) {
    const cloud = cloudOf(account.provider);
    this.#lines = new ListingLines(cloud, account);
    this.#matcher = createMatcher(readDeclared(declared));
    this.#read = readListing(inflated(this.#body.readable, MOST_BYTES), {
      formats: formatsOf(cloud),
      clouds: CLOUDS,
      take: (resource) => this.#take(resource),
    });
    this.#read.catch(() => undefined); // told where it is awaited
  }

  /** @throws {AppError} `unsupported_format`, `payload_too_large` */
  async read(chunk: Uint8Array): Promise<ListingPiece> {
    await Promise.race([this.#writer.write(chunk), this.#read]);
    return this.#cut();
  }

  /** @throws {AppError} as `read`; `account_mismatch` when all of it is of another account */
  async end(): Promise<ListingEnd> {
    void this.#writer.close().catch(() => undefined);
    const formats = await this.#read;
    const { seen, foreign } = this.#lines;
    if (seen === 0 && foreign > 0) {
      throw new AppError(
        "account_mismatch",
        `all ${foreign} resources of the listing are in another account`,
      );
    }
    const repeats = this.#listed.repeat;
    return {
      ...this.#cut(), // before the verdict: it matches the last of them
      foreign,
      formats: formats.map(({ name, taggedOnly }) => ({ name, ...(taggedOnly && { taggedOnly }) })),
      repeats,
      verdict: repeats ? [] : verdictLines(this.#matcher.pairs()),
    };
  }

  #take(resource: ListedResource): void {
    const live = this.#lines.take(resource);
    if (live === undefined) return;
    this.#listed.add(resource);
    this.#unseen.push(live);
  }

  /** Matches a chunk's resources one after the other: row by row, the index of keys would leave the processor's cache. */
  #cut(): ListingPiece {
    this.#unseen.forEach(this.#matcher.see);
    this.#unseen = [];
    return { lines: Buffer.from(this.#lines.cut()), seen: this.#lines.seen };
  }
}

/** Notices when a listing names a resource twice. */
class ListedIds {
  repeat = false;
  readonly #idsByType = new Map<string, Set<string>>();

  /** Compares as PostgreSQL does, for which two texts that it can't store as they are may be one. */
  add({ provider_type, provider_resource_id }: ListedResource): void {
    if (this.repeat) return;
    const type = asStored(provider_type);
    let ids = this.#idsByType.get(type);
    if (!ids) this.#idsByType.set(type, (ids = new Set()));
    const { size } = ids;
    this.repeat = ids.add(asStored(provider_resource_id)).size === size;
  }
}
