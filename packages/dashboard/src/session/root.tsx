import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";

import { useIsOver, useSession } from "../api/session.ts";
import { loadPage } from "../ui/load-page.ts";
import { SignInAgain } from "./sign-in-again.tsx";

const SignIn = loadPage(() => import("./sign-in.tsx"), "SignIn");

/**
 * Asks for a sign-in at any URL and then continues there. If a person's session ends, the dialog opens over the page,
 * which keeps what they typed.
 */
export function Root() {
  const session = useSession();
  const isOver = useIsOver();
  if (!session || (isOver && session.by === "key")) {
    return (
      <Suspense>
        <SignIn />
      </Suspense>
    );
  }
  return (
    <>
      <Outlet />
      {isOver && <SignInAgain />}
    </>
  );
}
