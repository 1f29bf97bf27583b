import AWS from "./measured/aws.tsv" with { type: "text" };
import AZURE from "./measured/azure.tsv" with { type: "text" };
import GCP from "./measured/gcp.tsv" with { type: "text" };

import { catalog } from "@leeway/clouds/aws/types";
import { importableTypes } from "@leeway/clouds/imports/import-forms";

import { typeLines } from "../type-lines.ts";

const TABLES = typeLines({ aws: AWS, azurerm: AZURE, google: GCP });
/** Lowest share of a type's attributes that must be read or can be left out. */
export const LEAST_SHARE = 0.9;

/** Types that would change if their code were applied, with the reason. */
const UNSAFE: ReadonlyMap<string, string> = new Map([
  ["aws_launch_template", "listings don't show a version's content"],
  ["aws_key_pair", "no cloud shows the public key"],
  ["aws_cloudfront_distribution", "headers to its origins can be secrets, so that its code lacks them"],
  ["google_compute_instance", "its boot disk and its public addresses aren't read"],
  ["aws_acm_certificate", "its validation isn't known, and another one replaces it"],
]);

/** Returns the reason why a type isn't offered, although its import id is known; undefined if it is offered. */
export function refusalOf(type: string): string | undefined {
  const unsafe = UNSAFE.get(type);
  if (unsafe !== undefined) return unsafe;
  const [, share = "0"] = TABLES.of(type)[0] ?? [];
  if (Number(share) >= LEAST_SHARE) return undefined;
  return `listings show only ${Math.round(Number(share) * 100)} % of its attributes`;
}

/** Returns the attributes of an offered type that listings don't show. */
export function unreadOf(type: string): readonly string[] {
  const [, , unread = ""] = TABLES.of(type)[0] ?? [];
  return unread === "" ? [] : unread.split(" ");
}

/** Returns the types that resources are adopted as. AWS's are adopted as the first of several types. */
export function offeredTypes(): string[] {
  return importableTypes().filter((type) => {
    const isFirst = !type.startsWith("aws_") || catalog.byTerraform(type)?.terraform[0] === type;
    return isFirst && refusalOf(type) === undefined;
  });
}
