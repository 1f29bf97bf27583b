/** Pages of an organization, in the order in which people use them. */
export const PAGES = [
  { path: "/posture", name: "Posture" },
  { path: "/inventory", name: "Inventory" },
  { path: "/accounts", name: "Accounts" },
  { path: "/sources", name: "Sources" },
  { path: "/drift", name: "Drift" },
  { path: "/scans", name: "Scans" },
  { path: "/plans", name: "Plans" },
  { path: "/noise", name: "Noise" },
  { path: "/rules", name: "Rules" },
  { path: "/webhooks", name: "Webhooks" },
  { path: "/usage", name: "Model usage" },
  { path: "/settings", name: "Settings" },
] as const;
