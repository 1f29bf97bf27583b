import { useQueryClient } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useEffect } from "react";

import { buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty } from "../ui/states.tsx";
import { goOn, NEW_LINK, signInAddress, signInWay } from "./server-session.ts";

const DONE = { pathname: "/signed-in", search: "" };

/** Asks a person whose session ended to sign in again in another tab; the page waits behind it, hidden. */
export function SignInAgain() {
  const queries = useQueryClient();
  useEffect(() => {
    void goOn(); // they may have signed in already
    return () => void queries.invalidateQueries();
  }, [queries]);
  return (
    <Dialog title="Your session has ended" isHeld isOpaque onClose={() => undefined}>
      <p className="text-muted">Sign in again to continue where you were. What you typed is still there.</p>
      {signInWay() === "api_key" ? (
        <p>{NEW_LINK} Open it in this browser.</p>
      ) : (
        <a href={signInAddress(DONE)} target="leeway-sign-in" className={buttonClass("primary")}>
          Sign in again
          <ExternalLink aria-label="opens in a new tab" className="size-3.5 shrink-0" />
        </a>
      )}
    </Dialog>
  );
}

/** Ends signing in again: the waiting tab has been notified, and this one closes. */
export function SignedIn() {
  useEffect(() => {
    document.title = "Signed in · Leeway";
    window.close(); // some browsers don't allow it
  }, []);
  return (
    <main>
      <Empty title="You are signed in">Close this tab and continue in the other one.</Empty>
    </main>
  );
}
