/** Returns the permanent URL of a change's page. */
export function changeUrl(orgId: string, fingerprint: string): string {
  return `${location.origin}/orgs/${orgId}/drift/${fingerprint}`;
}
