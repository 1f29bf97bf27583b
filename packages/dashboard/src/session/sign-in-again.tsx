import { useQueryClient } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useEffect } from "react";

import { buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty } from "../ui/states.tsx";
import { goOn, signInAddress } from "./server-session.ts";

const DONE = { pathname: "/signed-in", search: "" };

/** Has a person whose session has ended sign in again in another tab; the page waits behind it, unseen. */
export function SignInAgain() {
  const queries = useQueryClient();
  useEffect(() => {
    void goOn(); // they may have done so already
    return () => void queries.invalidateQueries();
  }, [queries]);
  return (
    <Dialog title="Your session has ended" isHeld isOpaque onClose={() => undefined}>
      <p className="text-muted">Sign in again to go on where you were. What you have typed is still there.</p>
      <a href={signInAddress(DONE)} target="leeway-sign-in" className={buttonClass("primary")}>
        Sign in again
        <ExternalLink aria-label="opens in a new tab" className="size-3.5 shrink-0" />
      </a>
    </Dialog>
  );
}

/** Where signing in again ends: the tab in which one was has heard of it, and this one goes. */
export function SignedIn() {
  useEffect(() => {
    document.title = "Signed in · Leeway";
    window.close(); // not every browser lets it
  }, []);
  return (
    <main>
      <Empty title="You are signed in">Close this tab, and go on in the one where you were.</Empty>
    </main>
  );
}
