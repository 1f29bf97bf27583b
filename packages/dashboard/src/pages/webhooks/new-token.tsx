import { useState, type FormEvent } from "react";

import { useAct } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import { TokenField } from "./connect-form.tsx";
import { isAboutFields, refusalOf } from "./refusals.ts";
import type { WebhookConfig } from "./types.ts";

const CHANGED = ["GET /orgs/{id}/webhooks", "GET /orgs/{id}/webhooks/{config_id}"] as const;

/** Gives a webhook another access token, once its instance has taken it. */
export function NewToken({ config, onClose }: { config: WebhookConfig; onClose: () => void }) {
  const change = useAct("PATCH /orgs/{id}/webhooks/{config_id}", CHANGED);
  const [token, setToken] = useState("");
  const wish = {
    address: config.provider_base_url ?? "https://gitlab.com",
    repository: config.repo_path ?? "",
  };
  const problem =
    refusalOf(change.error, "api_token", wish) ?? refusalOf(change.error, "provider_base_url", wish);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate(
      { params: { config_id: config.id }, body: { api_token: token.trim() } },
      {
        onSuccess: () => {
          say("The new token is in use");
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title="New access token"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="new-token" busy={change.isPending}>
            Try and keep it
          </Button>
        </>
      }
    >
      <form id="new-token" onSubmit={submit}>
        <TokenField {...{ ...wish, token, setToken, problem }} />
      </form>
      {change.error && !isAboutFields(change.error) && <Failure error={change.error} />}
    </Dialog>
  );
}
