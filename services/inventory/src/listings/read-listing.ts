import { AppError } from "@leeway/shared/errors";
import { text, type Json, type JsonObject } from "@leeway/shared/json";

import type { Cloud, ListedResource, ListingFormat } from "../clouds/cloud.ts";
import { nameDocument } from "../clouds/known-documents.ts";
import { at, type ListPath } from "../documents/document-parser.ts";
import { readDocuments, visitDocument, type DocumentVisitor } from "../documents/read-documents.ts";

interface ListingReader {
  /** Formats that this listing may be in. */
  formats: readonly ListingFormat[];
  /** Every cloud, to call what can't be read by its name. */
  clouds: readonly Cloud[];
  /** Takes one resource. */
  take(resource: ListedResource): void;
  /** Told of the type of a page that has no rows, where the page names it. */
  lack?(type: string): void;
}

/** What a listing was, once it is read. */
export interface ReadListing {
  /** The formats that were met, in order. */
  formats: ListingFormat[];
  /** The member of its last page that tells of another one. */
  goesOn: string | undefined;
}

/**
 * Reads a listing in any of the formats, page by page and row by row. `drain` is awaited now and then, so that who
 * takes can keep up.
 * @throws {AppError} `unsupported_format` that names what was found instead
 */
export async function readListing(
  body: AsyncIterable<Uint8Array>,
  { drain, ...reader }: ListingReader & { drain?: () => Promise<void> },
): Promise<ReadListing> {
  const { met, openEnds, lists, visitor } = openListing(reader);
  await readDocuments(body, { lists, visitor, ...(drain && { drain }) });
  return { formats: [...met], goesOn: [...openEnds.values()].find((end) => end !== undefined) };
}

/** Reads a listing whose pages come one by one, as the same pages pushed would be read. */
export function createPageReader(reader: ListingReader): {
  /** @throws as `readListing` */
  read(page: JsonObject): void;
  /** The formats that were met, in order. */
  formats(): ListingFormat[];
} {
  const { met, lists, visitor } = openListing(reader);
  return { read: (page) => visitDocument(page, { lists, visitor }), formats: () => [...met] };
}

function openListing({ formats, clouds, take, lack }: ListingReader) {
  const met = new Set<ListingFormat>();
  /** By what is listed, whether its last page tells of another one: Cloud Control lists type by type. */
  const openEnds = new Map<string, string | undefined>();
  const visitor = listingVisitor(formats, clouds, {
    take(format, resources, emptyType) {
      met.add(format);
      resources.forEach(take);
      if (emptyType !== undefined) lack?.(emptyType);
    },
    endPage: (page, goesOn) => void openEnds.set(text(page, "TypeName") ?? "", goesOn),
  });
  const lists = [...new Map(allFormats(clouds, formats).map(({ rows }) => [rows.join("."), rows])).values()];
  return { met, openEnds, visitor, lists: lists.filter((list) => list.length > 0) };
}

function allFormats(clouds: readonly Cloud[], formats: readonly ListingFormat[]): ListingFormat[] {
  return [...new Set([...formats, ...clouds.flatMap((cloud) => cloud.formats)])];
}

/** Who is told what a listing holds. */
interface Reader {
  /** @param emptyType the type of a page without rows, where it names one */
  take(format: ListingFormat, resources: ListedResource[], emptyType?: string): void;
  /** @param goesOn the member that tells that there is more */
  endPage(page: JsonObject, goesOn: string | undefined): void;
}

function listingVisitor(
  formats: readonly ListingFormat[],
  clouds: readonly Cloud[],
  { take, endPage }: Reader,
): DocumentVisitor {
  const byList = Map.groupBy(formats, ({ rows }) => rows.join("."));
  let waiting: { list: ListPath; row: Json }[] = [];
  let rowNumber = 0;

  function read(list: ListPath, row: Json, page: JsonObject): void {
    rowNumber += 1;
    for (const format of byList.get(list.join(".")) ?? []) {
      const resources = format.read(row, page);
      if (resources) return take(format, resources);
    }
    throw unsupported(page, clouds, `its row ${rowNumber} is of no kind that is known`);
  }

  return {
    row(list, row, page) {
      const needed = (byList.get(list.join(".")) ?? []).flatMap(({ needs = [] }) => needs);
      if (waiting.length === 0 && needed.every((name) => name in page)) read(list, row, page);
      else waiting.push({ list, row });
    },
    end(document, lists) {
      for (const { list, row } of waiting) read(list, row, document);
      waiting = [];
      rowNumber = 0;
      const known = lists.filter((list) => byList.has(list.join(".")));
      if (known.length === 0) return readAlone(document);
      for (const list of known) meetEmpty(list, document);
      const pages = known.flatMap((list) => byList.get(list.join(".")) ?? []);
      endPage(document, pages.map((format) => format.goesOn?.(document)).find(Boolean));
    },
  };

  /** A page without rows is of the first format that has its rows there. */
  function meetEmpty(list: ListPath, document: JsonObject): void {
    const rows = at(document, list);
    const [format] = byList.get(list.join(".")) ?? [];
    if (format && Array.isArray(rows) && rows.length === 0) take(format, [], format.pageType?.(document));
  }

  function readAlone(document: JsonObject): void {
    for (const format of byList.get("") ?? []) {
      const resources = format.read(document, {});
      if (resources) return take(format, resources);
    }
    throw unsupported(document, clouds);
  }
}

function unsupported(document: JsonObject, clouds: readonly Cloud[], detail?: string): AppError {
  const name = nameDocument(document, clouds);
  const more = detail === undefined ? "" : ` (${detail})`;
  return new AppError(
    "unsupported_format",
    `this is ${name}${more}, not a listing that can be read for this account`,
  );
}
