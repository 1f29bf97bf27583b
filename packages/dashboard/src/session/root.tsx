import { Outlet } from "@tanstack/react-router";

import { useIsOver, useSession } from "./session.ts";
import { SignInAgain } from "./sign-in-again.tsx";
import { SignIn } from "./sign-in.tsx";

/**
 * Whoever isn't signed in does that first, at whatever address they came to, and then goes on there. A person whose
 * session has ended does so in front of the page, which keeps what they typed.
 */
export function Root() {
  const session = useSession();
  const isOver = useIsOver();
  if (!session || (isOver && session.by === "key")) return <SignIn />;
  return (
    <>
      <Outlet />
      {isOver && <SignInAgain />}
    </>
  );
}
