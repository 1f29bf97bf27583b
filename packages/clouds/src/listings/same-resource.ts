import { SAME_KIND } from "../aws/rds-family.ts";

const BEGINNING = new RegExp(SAME_KIND.beginning);

/** Returns the type within which an id is unique, as the database compares rows of a listing. */
export function kindOf(type: string, id: string): string {
  return BEGINNING.test(type) && /^arn:.*:rds:/s.test(id) ? type.replace(BEGINNING, SAME_KIND.instead) : type;
}

/** Returns an id as the database compares it, like its function `inventory.identity`: Azure ignores the case of A to Z. */
export function identityOf(id: string): string {
  return /^\/subscriptions\//i.test(id) ? id.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : id;
}
