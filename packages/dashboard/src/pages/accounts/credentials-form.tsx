import { useState, type FormEvent } from "react";

import { useAct } from "../../api/act.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { needsGeneralMessage, refusalAt, useRefusedFocus } from "../refusals.ts";
import type { Guide } from "./access-guide.tsx";
import { SHOWS_ACCOUNTS, type CloudAccount } from "./types.ts";
import { credentialsOf, knownFields, type Way } from "./ways.ts";

interface CredentialsFormProps {
  account: CloudAccount;
  way: Way;
  guide: Guide;
  onGiven: () => void;
}

/** Asks for credentials of one kind. Keeps secrets only until they are sent. */
export function CredentialsForm({ account, way, guide, onGiven }: CredentialsFormProps) {
  const give = useAct("PATCH /orgs/{id}/cloud-accounts/{account_id}", SHOWS_ACCOUNTS);
  const [typed, setTyped] = useState(() => knownFields(way, guide.credentials));
  const form = useRefusedFocus(give.error);
  const paths = way.fields.map(({ name }) => `credentials.${name}`);
  const send = async (): Promise<void> => {
    const sent = give.mutateAsync({
      params: { account_id: account.id },
      body: { credentials: credentialsOf(way, typed) },
    });
    if (await succeeds(sent)) {
      setTyped({});
      onGiven();
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };
  return (
    <form ref={form} onSubmit={submit} className="flex max-w-xl flex-col gap-4" autoComplete="off">
      {way.fields.map(({ name, label, hint, placeholder, isSecret }) => (
        <TextField
          key={name}
          label={label}
          required
          type={isSecret ? "password" : "text"}
          placeholder={placeholder}
          value={typed[name] ?? ""}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          hint={hint ?? hintOf(typed[name])}
          problem={refusalAt(give.error, `credentials.${name}`)}
        />
      ))}
      {give.error && needsGeneralMessage(give.error, paths) && <Failure error={give.error} />}
      <Button kind="primary" type="submit" busy={give.isPending} className="self-start">
        Save and verify
      </Button>
    </form>
  );
}

/**
 * Returns whether the request succeeds. It resolves even if the form is unmounted, because the account then has
 * credentials.
 */
async function succeeds(sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch {
    return false; // the form shows the reason
  }
}

function hintOf(value = ""): string | undefined {
  return /[A-Z]{2,}_[A-Z]{2,}/.test(value) ? "Replace the words in capitals." : undefined;
}
