import type { AccessPolicy } from "@leeway/shared/contracts/inventory/accounts";

/** What a cloud has to be told so that it lets an organization's scans in, as `AccessPolicy` without the account. */
export type AccessGuide = Omit<AccessPolicy, "provider">;

/** For whom access is to be given. */
export interface AccessRequest {
  /** The account, project or subscription. */
  externalId: string;
  /** Who the organization is to clouds. */
  identity: string;
  /** Who signs that. */
  issuer: string;
  /** Who assumes roles on AWS, as far as this installation was told. */
  awsPrincipal: string | undefined;
}

/** A text as one word of a shell's command line. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A JSON document as one word of a shell's command line. */
export function quotedJson(document: object): string {
  return quoted(JSON.stringify(document));
}
