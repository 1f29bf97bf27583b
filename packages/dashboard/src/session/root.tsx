import { Outlet } from "@tanstack/react-router";

import { useSession } from "./session.ts";
import { SignIn } from "./sign-in.tsx";

/** Whoever isn't signed in does that first, at whatever address they came to, and then goes on there. */
export function Root() {
  return useSession() ? <Outlet /> : <SignIn />;
}
