import { createRootRoute, createRoute } from "@tanstack/react-router";

import { Root } from "./session/root.tsx";
import { Shell } from "./shell/shell.tsx";

export const root = createRootRoute({ component: Root });

/** Parent of every page of an organization. */
export const organization = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$orgId",
  component: Shell,
});
