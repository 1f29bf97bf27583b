/**
 * Who an organization is to a cloud: the external id by which its AWS roles are assumed, and the subject of its identity
 * tokens. It is always ours and of one organization, so that none can use a role or a trust that another was given.
 */
export function organizationIdentity(orgId: string): string {
  return `leeway:org:${orgId.toLowerCase()}`;
}
