/** Pages of an organization, in the order in which people use them. `g` and the key go there. */
export const PAGES = [
  { path: "/posture", key: "h", name: "Posture" },
  { path: "/inventory", key: "i", name: "Inventory" },
  { path: "/accounts", key: "a", name: "Accounts" },
  { path: "/sources", key: "s", name: "Sources" },
  { path: "/drift", key: "d", name: "Drift" },
  { path: "/scans", key: "c", name: "Scans" },
  { path: "/plans", key: "p", name: "Plans" },
  { path: "/noise", key: "n", name: "Noise" },
  { path: "/rules", key: "r", name: "Rules" },
  { path: "/webhooks", key: "w", name: "Webhooks" },
  { path: "/usage", key: "u", name: "Model usage" },
  { path: "/settings", key: "t", name: "Settings" },
] as const;

/** Actions that can be started from anywhere. */
export const ACTIONS = [
  { path: "/accounts/new", name: "Connect an account" },
  { path: "/sources", name: "Add a source" },
  { path: "/scans/schedules", name: "Schedule scans" },
  { path: "/webhooks/new", name: "Connect a webhook" },
  { path: "/settings/channels", name: "Add a notification channel" },
  { path: "/settings/members", name: "Invite a member" },
  { path: "/settings/keys", name: "Create an API key" },
] as const;
