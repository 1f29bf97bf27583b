import type { AccessPolicy } from "@leeway/shared/contracts/inventory/accounts";

/** Setup of a cloud that gives an organization's scans access: `AccessPolicy` without the account. */
export type AccessGuide = Omit<AccessPolicy, "provider">;

/** Identities for which access is set up. */
export interface AccessRequest {
  /** The account, project or subscription. */
  externalId: string;
  /** The organization's identity for clouds: subject of its tokens, and external id on AWS. */
  identity: string;
  /** Issuer that signs the organization's tokens. */
  issuer: string;
  /** ARN that assumes roles on AWS, if this installation has one in its settings. */
  awsPrincipal: string | undefined;
}

/** Quotes a text as one word of a shell command. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a JSON document as one word of a shell command. */
export function quotedJson(document: object): string {
  return quoted(JSON.stringify(document));
}
