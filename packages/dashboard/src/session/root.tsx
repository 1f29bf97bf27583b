import { Outlet } from "@tanstack/react-router";

import { useIsOver, useSession } from "../api/session.ts";
import { SignInAgain } from "./sign-in-again.tsx";
import { SignIn } from "./sign-in.tsx";

/**
 * Asks for a sign-in at any URL and then continues there. If a person's session ends, the dialog opens over the page,
 * which keeps what they typed.
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
