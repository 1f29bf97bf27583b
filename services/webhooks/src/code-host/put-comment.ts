import type { Input } from "@leeway/shared/contracts/contract";
import type { PutComment } from "@leeway/shared/contracts/webhooks/comments";

import { digestOf, firstLineOf, type CodeHost, type OwnComment } from "./code-host.ts";
import { HostFailure, orWhen } from "./failure.ts";

type Part = Input<typeof PutComment>["parts"][number];

interface Put {
  outcome: "created" | "updated" | "unchanged";
  url: string | undefined;
}

/** Part of the comment, with the first lines that identify it. */
interface MarkedPart {
  markers: readonly string[];
  body: string;
}

/** Creates, updates and deletes comments until they match `parts`. Comments that match already are left unchanged. */
export async function putComment(
  host: CodeHost,
  parts: readonly Part[],
  formerMarkers: readonly string[] = [],
): Promise<Put> {
  const marked = parts.map(({ marker, body }, index) => ({
    markers: index === 0 ? [marker, ...formerMarkers] : [marker],
    body: withMarker(marker, body),
  }));
  for (const { body } of marked) requireFitting(host, body);
  const put = await settle(host, marked, { mayCreate: true });
  if (!put.created) return put;
  // By now the list shows comments from another process or from an attempt whose answer was lost. A stale list may
  // lack the new comment: it isn't created twice.
  const { url = put.url } = await settle(host, marked, { mayCreate: false });
  return { outcome: put.outcome, url };
}

/** Returns the text with its marker as the first line, which identifies the comment later. */
export function withMarker(marker: string, body: string): string {
  return firstLineOf(body) === marker ? body : `${marker}\n${body}`;
}

/** Checks the length of a comment. @throws {HostFailure} `too_large` */
export function requireFitting({ longestBody }: CodeHost, body: string): void {
  if (body.length > longestBody) throw new HostFailure("too_large");
}

async function settle(
  host: CodeHost,
  parts: readonly MarkedPart[],
  { mayCreate }: { mayCreate: boolean },
): Promise<Put & { created: boolean }> {
  const found = (await host.ownComments()).toSorted((a, b) => a.id - b.id);
  const kept = parts.map(({ markers }) => found.find(({ firstLine }) => markers.includes(firstLine)));
  const puts: Put[] = [];
  for (const [index, { body }] of parts.entries()) {
    puts.push(await settlePart(host, { body, kept: kept[index], mayCreate }));
  }
  const surplus = found.filter((comment) => !kept.includes(comment) && isPartOf(parts, comment));
  for (const { id } of surplus) await unlessGone(host.remove(id));
  const outcomes = puts.map(({ outcome }) => outcome);
  const changed = surplus.length > 0 || outcomes.some((outcome) => outcome !== "unchanged");
  const [first = { outcome: "unchanged", url: undefined }] = puts;
  return {
    outcome: first.outcome === "unchanged" && changed ? "updated" : first.outcome,
    url: first.url,
    created: outcomes.includes("created"),
  };
}

async function settlePart(
  host: CodeHost,
  { body, kept, mayCreate }: { body: string; kept: OwnComment | undefined; mayCreate: boolean },
): Promise<Put> {
  if (kept?.digest === digestOf(body)) return { outcome: "unchanged", url: kept.url };
  const updated = kept && (await unlessGone(host.update(kept.id, body)));
  if (updated) return { outcome: "updated", url: updated.url };
  if (!mayCreate) return { outcome: "unchanged", url: undefined };
  return { outcome: "created", url: (await host.create(body)).url };
}

/**
 * Returns whether a comment is one of `parts`, or a later part of an earlier version: `… part 7 -->` after the first
 * marker.
 */
function isPartOf(parts: readonly MarkedPart[], { firstLine }: OwnComment): boolean {
  if (parts.some(({ markers }) => markers.includes(firstLine))) return true;
  const [first] = parts;
  return first !== undefined && first.markers.some((marker) => isFurtherPart(marker, firstLine));
}

function isFurtherPart(marker: string, firstLine: string): boolean {
  const stem = `${marker.replace(/\s*-->$/, "")} part `;
  return firstLine.startsWith(stem) && /^\d+\s*-->$/.test(firstLine.slice(stem.length));
}

/** Returns undefined if the comment was deleted in the meantime. */
function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  return orWhen(["not_found"], work, () => undefined);
}
