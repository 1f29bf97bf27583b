/** Permissions that a scan uses, by Azure's names. */
export const GRAPH_ACTION = "Microsoft.ResourceGraph/resources/read";
export const SUBSCRIPTION_ACTION = "Microsoft.Resources/subscriptions/read";
export const PERMISSIONS_ACTION = "Microsoft.Authorization/permissions/read";
export const LOCATIONS_ACTION = "Microsoft.Resources/subscriptions/locations/read";
/** Permission to see who changed a resource; optional. */
export const AUDIT_ACTION = "Microsoft.Insights/eventtypes/values/read";
/**
 * Permission to read everything. Resource Graph silently omits
 * unreadable resources, so less would falsify the inventory.
 */
export const READ_ALL = "*/read";

/**
 * Returns the minimal role for a scan, for `az role definition create --role-definition …`. It contains no action on
 * data and none that lists keys (these end in `/action`).
 */
export function azureRole(subscriptionId: string): Record<string, string | boolean | string[]> {
  return {
    Name: nameIn(subscriptionId),
    IsCustom: true,
    Description: "Reads the configuration of all resources, but no keys or data.",
    Actions: [READ_ALL],
    NotActions: [],
    AssignableScopes: [`/subscriptions/${subscriptionId}`],
  };
}

/**
 * Returns the name of the role and the application. It contains the subscription because names are unique in a tenant.
 */
export function nameIn(subscriptionId: string): string {
  return `Leeway ${subscriptionId}`;
}

/** Reports whether a set of permissions allows reading everything. */
export function readsAll(actions: readonly string[], notActions: readonly string[]): boolean {
  const grants = actions.some((action) => ["*", READ_ALL].includes(action.toLowerCase()));
  return grants && !notActions.some((action) => /(?:^|\/)(?:\*|read)$/i.test(action));
}
