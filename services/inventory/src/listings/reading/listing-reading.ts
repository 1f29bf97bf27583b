import type { ListedResource, ListingFormat } from "@leeway/clouds/cloud";
import { CLOUDS, cloudOf, formatsOf } from "@leeway/clouds/clouds";
import { readListing, type ReadListing } from "@leeway/clouds/listings/read-listing";
import { identityOf, kindOf } from "@leeway/clouds/listings/same-resource";
import { scopeOf, type SightScope } from "@leeway/clouds/listings/sight-scope";
import { createMatcher, type Matcher } from "@leeway/clouds/matching/matcher";
import type { Live, Pair } from "@leeway/clouds/matching/model";
import { asStored } from "@leeway/shared/values/copy-text";
import { bodyRequired } from "@leeway/shared/values/errors";
import { inflated } from "@leeway/shared/values/inflated";

import { readDeclared } from "../../matching/declared-texts.ts";
import { verdictOf, type Verdict } from "../../matching/verdict-lines.ts";
import type { ListedAccount } from "@leeway/clouds/listings/named-accounts";
import { ListingLines } from "../listing-lines.ts";
import type { AccountCounts } from "@leeway/clouds/listings/named-accounts";

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
  readonly #listed = new ListedIds();
  /** Whether early matches in lines are wrong or incomplete. */
  #revised = false;
  readonly #body = new TransformStream<Uint8Array, Uint8Array>();
  readonly #writer = this.#body.writable.getWriter();
  readonly #read: Promise<ReadListing>;
  #matcher: Matcher | undefined;
  #unseen: Live[] = [];
  /** Resolves when only the last chunk may still be unread. */
  #given: Promise<unknown> = Promise.resolve();
  #filled = Promise.withResolvers<void>();
  #taken = Promise.withResolvers<void>();

  constructor(account: ListedAccount) {
    const cloud = cloudOf(account.provider);
    this.#lines = new ListingLines(cloud, account);
    this.#read = readListing(required(inflated(this.#body.readable, MAX_BYTES)), {
      formats: formatsOf(cloud),
      clouds: CLOUDS,
      take: (resource) => this.#take(resource),
      lack: (type) => this.#lines.lack(type),
      drain: () => this.#drain(),
    });
    this.#read.catch(() => undefined); // the caller awaits it and gets the error
  }

  /** Sets the declared resources, which may become known after the start. @param declared as `declaredTexts` */
  declare(declared: readonly string[]): void {
    this.#matcher = createMatcher(readDeclared(declared));
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
    const repeats = this.#listed.repeat;
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

  #take(resource: ListedResource): void {
    const live = this.#lines.take(resource);
    if (live === undefined) return;
    this.#listed.add(resource);
    this.#unseen.push(live);
  }

  /** Matches a chunk's resources together. Row by row, the key index would drop out of the CPU cache. */
  #cut(more: boolean): ListingPiece {
    const progress = { seen: this.#lines.seen, repeats: this.#listed.repeat, more };
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
    return this.#unseen.map(({ id }) => suffixes.get(id) ?? UNDECLARED);
  }
}

/** Detects resources that occur twice in a listing. */
class ListedIds {
  repeat = false;
  readonly #idsByType = new Map<string, Set<string>>();

  /**
   * Adds an id. Compares as PostgreSQL does, by kind and by its function
   * `inventory.identity`. Two ids that PostgreSQL can't store unchanged may become equal.
   */
  add({ provider_type, provider_resource_id }: ListedResource): void {
    if (this.repeat) return;
    const type = asStored(kindOf(provider_type, provider_resource_id));
    let ids = this.#idsByType.get(type);
    if (!ids) this.#idsByType.set(type, (ids = new Set()));
    const { size } = ids;
    this.repeat = ids.add(identityOf(asStored(provider_resource_id))).size === size;
  }
}
