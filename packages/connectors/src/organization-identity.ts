/**
 * Returns an organization's identity for clouds: the external id for AWS roles, and the subject of identity tokens. We
 * choose it, one per organization, so that none can use a role or trust that another one granted.
 */
export function organizationIdentity(orgId: string): string {
  return `leeway:org:${orgId.toLowerCase()}`;
}
