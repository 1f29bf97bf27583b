import type { Input } from "@leeway/shared/contract";
import type { PutComment } from "@leeway/shared/contracts/webhooks/comments";

import { digestOf, firstLineOf, type CodeHost, type OwnComment } from "./code-host.ts";
import { HostFailure, orWhen } from "./failure.ts";

type Part = Input<typeof PutComment>["parts"][number];

interface Put {
  outcome: "created" | "updated" | "unchanged";
  url: string | undefined;
}

/** A part of the comment, and by which first lines it is found. */
interface MarkedPart {
  markers: readonly string[];
  body: string;
}

/** Brings what is written there to what `parts` say; what says it already isn't touched. */
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
  // What another process wrote, or an earlier attempt whose answer never came, shows by now. A host whose
  // list lags behind may not show what was just created: it isn't created again.
  const { url = put.url } = await settle(host, marked, { mayCreate: false });
  return { outcome: put.outcome, url };
}

/** A text with its marker as its first line, by which it is found again. */
export function withMarker(marker: string, body: string): string {
  return firstLineOf(body) === marker ? body : `${marker}\n${body}`;
}

/** @throws {HostFailure} `too_large` */
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

/** Whether a comment is one of `parts`, or a further part of before: `… part 7 -->` behind a marker of the first. */
function isPartOf(parts: readonly MarkedPart[], { firstLine }: OwnComment): boolean {
  if (parts.some(({ markers }) => markers.includes(firstLine))) return true;
  const [first] = parts;
  return first !== undefined && first.markers.some((marker) => isFurtherPart(marker, firstLine));
}

function isFurtherPart(marker: string, firstLine: string): boolean {
  const stem = `${marker.replace(/\s*-->$/, "")} part `;
  return firstLine.startsWith(stem) && /^\d+\s*-->$/.test(firstLine.slice(stem.length));
}

/** Undefined for what somebody deleted a moment ago. */
function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  return orWhen(["not_found"], work, () => undefined);
}
