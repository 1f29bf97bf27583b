import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toast.tsx";
import { TokenField } from "./connect-form.tsx";
import { isAboutFields, refusalOf } from "./refusals.ts";
import type { WebhookConfig } from "./types.ts";

const CHANGED = ["GET /orgs/{id}/webhooks", "GET /orgs/{id}/webhooks/{config_id}"] as const;

/** Replaces a webhook's access token after its instance accepts the new one. */
export function NewToken({ config, onClose }: { config: WebhookConfig; onClose: () => void }) {
  const change = useAct("PATCH /orgs/{id}/webhooks/{config_id}", CHANGED);
  const [token, setToken] = useState("");
  const place = {
    address: config.provider_base_url ?? "https://gitlab.com",
    repository: config.repo_path ?? "",
  };
  const problem =
    refusalOf(change.error, "api_token", place) ?? refusalOf(change.error, "provider_base_url", place);
  const submit = (): void => {
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
    <FormDialog
      title="New access token"
      confirmLabel="Test and save"
      busy={change.isPending}
      error={change.error && !isAboutFields(change.error) ? change.error : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TokenField {...{ ...place, token, setToken, problem }} />
    </FormDialog>
  );
}
