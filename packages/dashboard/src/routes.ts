import { createRootRoute, createRoute } from "@tanstack/react-router";

import { Home } from "./session/home.tsx";
import { Root } from "./session/root.tsx";
import { SignedIn } from "./session/sign-in-again.tsx";
import { Shell } from "./shell/shell.tsx";

export const root = createRootRoute({ component: Root });
export const home = createRoute({ getParentRoute: () => root, path: "/", component: Home });
export const signedIn = createRoute({ getParentRoute: () => root, path: "/signed-in", component: SignedIn });
export const organization = createRoute({
  getParentRoute: () => root,
  path: "/orgs/$orgId",
  component: Shell,
});
