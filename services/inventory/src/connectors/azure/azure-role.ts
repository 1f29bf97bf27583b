/** What a scan calls, as Azure names it. */
export const GRAPH_ACTION = "Microsoft.ResourceGraph/resources/read";
export const SUBSCRIPTION_ACTION = "Microsoft.Resources/subscriptions/read";
export const PERMISSIONS_ACTION = "Microsoft.Authorization/permissions/read";
export const LOCATIONS_ACTION = "Microsoft.Resources/subscriptions/locations/read";
/** Tells who changed what; a subscription is read without it too. */
export const AUDIT_ACTION = "Microsoft.Insights/eventtypes/values/read";
/** Resource Graph silently leaves out what the caller may not read, so that less would make a wrong inventory. */
export const READ_ALL = "*/read";

/**
 * The least privilege that a scan needs, for `az role definition create --role-definition …`. It holds no action
 * that lists keys (those end in `/action`), and none on data.
 */
export function azureRole(subscriptionId: string): Record<string, string | boolean | string[]> {
  return {
    Name: nameIn(subscriptionId),
    IsCustom: true,
    Description: "Reads the configuration of all resources; no keys, no data.",
    Actions: [READ_ALL],
    NotActions: [],
    AssignableScopes: [`/subscriptions/${subscriptionId}`],
  };
}

/** Of the role and of the application: a tenant has one of a name, for all its subscriptions. */
export function nameIn(subscriptionId: string): string {
  return `Leeway ${subscriptionId}`;
}

/** Whether a set of permissions lets its owner read everything. */
export function readsAll(actions: readonly string[], notActions: readonly string[]): boolean {
  const grants = actions.some((action) => ["*", READ_ALL].includes(action.toLowerCase()));
  return grants && !notActions.some((action) => /(?:^|\/)(?:\*|read)$/i.test(action));
}
