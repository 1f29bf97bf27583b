import { bodyRequired } from "@leeway/shared/values/errors";
import { inflated } from "@leeway/shared/values/inflated";

import type { ListedResource, ListingFormat } from "../cloud.ts";
import { CLOUDS, cloudOf, formatsOf } from "../clouds.ts";
import type { AccountCounts, ListedAccount } from "../listings/named-accounts.ts";
import { readListing, type ReadListing, type ResourceDocument } from "../listings/read-listing.ts";
import { scopeOf, type SightScope } from "../listings/sight-scope.ts";
import { createMatcher, type Matcher } from "../matching/matcher.ts";
import type { Declared, Live, Pair } from "../matching/model.ts";
import { verdictOf, type Verdict } from "../matching/verdict-lines.ts";
import { digestOfBytes, digestOfResource, KnownRows, type Digest, type StoredRows } from "./known-rows.ts";
import { ListingLines } from "./listing-lines.ts";

/** Max size of an inflated listing. */
const MAX_BYTES = 256 << 20;

/** Max length of collected lines, because a small chunk may inflate to a thousand times its size. */
const MAX_CHARACTERS = 4 << 20;

/** Result of reading since the previous piece; without lines until the declared resources are known. */
export interface ListingPiece {
  /** Lines for COPY, with `LISTED_COLUMNS` and `EARLY_COLUMNS`. */
  lines: Uint8Array;
  /** Number of the account's resources so far, including duplicates. */
  seen: number;
  /** Whether a resource has occurred twice so far. Early matches are then invalid. */
  repeats: boolean;
  /** Whether the limit for collected lines was reached; `rest` returns the next piece. */
  more: boolean;
}

/** Summary of a whole listing. */
export interface ListingEnd {
  seen: number;
  /** Accounts in its rows. Rows of other accounts aren't in `seen`. */
  accounts: AccountCounts;
  formats: Pick<ListingFormat, "name" | "taggedOnly">[];
  /** Member of its last page that indicates further pages. */
  goesOn: string | undefined;
  /** Canonical types in the listing. */
  types: string[];
  scope: SightScope;
  /** Whether any resource has keys of an owner. */
  hasOwned: boolean;
  /** Whether a resource occurs twice. Early matches are then invalid. */
  repeats: boolean;
  /** Matches with declared resources; empty if it `repeats`. */
  verdict: Verdict;
  /** Comparison with the rows that were read before. */
  rows: ListedRows;
}

/** Rows of a listing, compared with those that were read before. */
interface ListedRows extends ReturnType<KnownRows["result"]> {
  /** Number of resources that no row was known of. */
  created: number;
  /** As `KnownRows.kinds`. */
  kinds: string;
}

/** End of a line whose resource has no declaration so far. */
const UNDECLARED = "\t\\N\t\\N";

const NOTHING: Verdict = { lines: undefined, ambiguous: [] };

/** Whitespace, line ends, and the byte order mark. */
const BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32, ...Buffer.from("\uFEFF")]);

/**
 * Passes a body through and rejects one without content. A failed
 * command before the push sends an empty gzip or a line end.
 */
async function* required(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isNothing = true;
  for await (const chunk of body) {
    isNothing &&= chunk.every((byte) => BLANKS.has(byte));
    yield chunk;
  }
  if (isNothing) throw bodyRequired();
}

/** Reads a listing chunk by chunk and matches it with declared resources at the same time. */
export class ListingReading {
  readonly #lines: ListingLines;
  readonly #known: KnownRows;
  /** Whether early matches in lines are wrong or incomplete. */
  #revised = false;
  readonly #body = new TransformStream<Uint8Array, Uint8Array>();
  readonly #writer = this.#body.writable.getWriter();
  readonly #read: Promise<ReadListing>;
  #matcher: Matcher | undefined;
  /** The latest document with a digest. */
  #digested: { document: Uint8Array; digest: Digest } | undefined;
  #unseen: (Live & { entry: string })[] = [];
  /** Resolves when only the last chunk may still be unread. */
  #given: Promise<unknown> = Promise.resolve();
  #filled = Promise.withResolvers<void>();
  #taken = Promise.withResolvers<void>();

  /** @param known rows that needn't be read */
  constructor(account: ListedAccount, known?: StoredRows) {
    const cloud = cloudOf(account.provider);
    this.#known = new KnownRows(known);
    this.#lines = new ListingLines(cloud, account);
    this.#read = readListing(required(inflated(this.#body.readable, MAX_BYTES)), {
      formats: formatsOf(cloud),
      clouds: CLOUDS,
      take: (resource, source) => this.#take(resource, source),
      recognize: (document) => this.#recognize(document),
      lack: (type) => this.#lines.lack(type),
      drain: () => this.#drain(),
    });
    this.#read.catch(() => undefined); // the caller awaits it and gets the error
  }

  /** Sets the declared resources, which may become known after the start. */
  declare(declared: readonly Declared[]): void {
    this.#matcher = createMatcher(declared);
  }

  /**
   * Reads a chunk. @throws {AppError} `unsupported_format`, `payload_too_large`; `invalid_parameter` for an empty body
   */
  read(chunk: Uint8Array): Promise<ListingPiece> {
    this.#given = this.#writer.write(chunk);
    return this.rest();
  }

  /** Reads the rest after the last chunk. @throws {AppError} as `read` */
  close(): Promise<ListingPiece> {
    this.#writer.close().catch(() => undefined);
    this.#given = this.#read;
    return this.rest();
  }

  async rest(): Promise<ListingPiece> {
    const more = this.#filled.promise.then(() => true);
    const done = Promise.race([this.#given, this.#read]).then(() => false);
    return this.#cut(await Promise.race([more, done]));
  }

  async end(): Promise<ListingEnd> {
    const { formats, goesOn, isMixed } = await this.#read;
    const { seen, accounts, isAnyListed } = this.#lines;
    const { repeats, created } = this.#known;
    return {
      seen,
      accounts: accounts.counts(),
      formats: formats.map(({ name, taggedOnly }) => ({ name, ...(taggedOnly && { taggedOnly }) })),
      goesOn,
      types: [...this.#lines.types],
      scope: scopeOf({ formats, isMixed, isOfParts: seen > 0 && !isAnyListed }),
      hasOwned: this.#lines.hasOwned,
      repeats,
      verdict: repeats || !this.#matcher ? NOTHING : this.#judge(this.#matcher),
      rows: { ...this.#known.result(), created, kinds: this.#known.kinds() },
    };
  }

  #judge(matcher: Matcher): Verdict {
    if (this.#revised || matcher.isRevised()) return verdictOf(matcher);
    return { lines: undefined, ambiguous: matcher.ambiguous() };
  }

  #drain(): Promise<void> {
    if (this.#lines.characters < MAX_CHARACTERS) return Promise.resolve();
    this.#filled.resolve();
    return this.#taken.promise;
  }

  /** Skips a document that was read before. @returns the name of its format */
  #recognize(document: Uint8Array): string | undefined {
    const kind = this.#known.see(this.#digestOf(document));
    if (kind) this.#lines.pass(kind);
    return kind?.format;
  }

  #digestOf(document: Uint8Array): Digest {
    if (this.#digested?.document !== document) this.#digested = { document, digest: digestOfBytes(document) };
    return this.#digested.digest;
  }

  #take(resource: ListedResource, source: ResourceDocument | undefined): void {
    const digest = source ? this.#digestOf(source.bytes) : digestOfResource(resource);
    const kind = source ? undefined : this.#known.see(digest);
    if (kind) return this.#lines.pass(kind);
    let entry = "";
    const live = this.#lines.take(resource, (rest) => {
      const { canonicalType, isListed, isOwn } = rest;
      const row = this.#known.add(digest, resource, {
        format: source?.format,
        canonicalType,
        isListed,
        isOwn,
      });
      entry = row.head;
      return row.id;
    });
    if (live) this.#unseen.push({ id: live.id, region: live.region, keys: live.keys, entry });
  }

  /** Matches a chunk's resources together. Row by row, the key index would drop out of the CPU cache. */
  #cut(more: boolean): ListingPiece {
    const progress = { seen: this.#lines.seen, repeats: this.#known.repeats, more };
    if (!this.#matcher) return { ...progress, lines: new Uint8Array() };
    this.#unseen.forEach(this.#matcher.see);
    const lines = Buffer.from(this.#lines.cut(this.#suffixes(this.#matcher.latest())));
    this.#unseen = [];
    this.#taken.resolve();
    [this.#filled, this.#taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    return { ...progress, lines };
  }

  /**
   * Returns each line's suffix. Resources declared by several sources or listed in several accounts are matched later.
   */
  #suffixes(pairs: readonly Pair[]): string[] {
    const suffixes = new Map<string, string>();
    for (const { liveId, declared, level } of pairs) {
      if (declared.contested || suffixes.has(liveId)) this.#revised = true;
      else suffixes.set(liveId, `\t${declared.id}\t${level}`);
    }
    return this.#unseen.map(({ id, entry }) => `${suffixes.get(id) ?? UNDECLARED}\t\\\\x${entry}`);
  }
}
