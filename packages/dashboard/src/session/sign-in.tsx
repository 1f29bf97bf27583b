import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type FormEvent } from "react";

import { call } from "../api/client.ts";
import { ApiFailure } from "../api/failure.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Failure } from "../ui/states.tsx";
import { Logo } from "../ui/logo.tsx";
import { failureOfLink, NEW_LINK, signInAddress, signInWay } from "./server-session.ts";
import { currentSession, setSession, type Session } from "../api/session.ts";

export function SignIn() {
  useEffect(() => {
    document.title = "Sign in · Leeway";
  }, []);
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="bg-surface border-line shadow-lift flex w-full max-w-sm flex-col gap-6 rounded-2xl border p-7">
        <div className="flex flex-col gap-3">
          <Logo />
          <div>
            <h1 className="text-lg font-semibold tracking-tight">Sign in</h1>
            <p className="text-muted">
              See what runs in your clouds, and how much of it is declared as code.
            </p>
          </div>
        </div>
        <Ended />
        <LinkFailed />
        <Way />
      </div>
    </main>
  );
}

function Way() {
  const way = signInWay();
  if (way === "provider") return <WithProvider />;
  if (way === "api_key") return <KeyForm />;
  return <Failure error={way} onRetry={() => location.reload()} />;
}

/** Explains to someone signed in with a key why they see this page. */
function Ended() {
  if (!currentSession()) return undefined;
  return (
    <Notice tone="medium" title="You are signed out">
      <p>The API key is no longer valid: it has expired or was revoked.</p>
    </Notice>
  );
}

/** Explains why the link of `bun run up` didn't sign in. */
function LinkFailed() {
  const failure = failureOfLink();
  if (!failure) return undefined;
  if (failure.status !== 401) return <Failure error={failure} />;
  return (
    <Notice tone="medium" title="The link no longer works">
      <p>It was used already or has expired. {NEW_LINK}</p>
    </Notice>
  );
}

const FAILED: Readonly<Record<string, string>> = {
  limited: "Too many failed sign-ins from your network. Try again in a minute.",
  refused: "The sign-in was rejected or took too long. Try again.",
  unavailable: "The identity provider can’t be reached. Try again in a few minutes.",
};

function WithProvider() {
  const failed = FAILED[new URLSearchParams(location.search).get("sign_in") ?? ""];
  return (
    <div className="flex flex-col gap-4">
      {failed !== undefined && (
        <p role="alert" className="bg-critical-soft rounded-lg p-3">
          {failed}
        </p>
      )}
      <a
        href={signInAddress(location)}
        className="bg-accent text-accent-ink shadow-flat flex h-9 items-center justify-center rounded-lg font-medium hover:brightness-110"
      >
        Continue to your identity provider
      </a>
    </div>
  );
}

/** Accepts an API key for this tab after the API accepts it. */
function KeyForm() {
  const queries = useQueryClient();
  const [key, setKey] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    const session: Session = { by: "key", key: key.trim() };
    try {
      await call("GET /orgs", { params: {}, as: session });
      queries.clear();
      setSession(session);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const refused = error instanceof ApiFailure && error.status === 401;
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        label="API key"
        type="password"
        placeholder="leeway_…"
        required
        autoFocus
        value={key}
        onChange={({ target }) => setKey(target.value)}
        hint="Kept for this tab only, and forgotten when you close it."
        problem={refused ? "This key isn’t valid: it is mistyped, expired or revoked." : undefined}
      />
      {error !== undefined && !refused && <Failure error={error} />}
      <Button kind="primary" type="submit" busy={busy} className="h-9">
        Sign in
      </Button>
    </form>
  );
}
