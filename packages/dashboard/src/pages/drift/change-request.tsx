import { useAct } from "../../api/act.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { OutLink } from "../../ui/out-link.tsx";
import { Failure } from "../../ui/states.tsx";
import { sentence } from "../../api/failure.ts";
import { requestTitle, type Request } from "./settlement-words.ts";

interface ChangeRequestProps {
  fingerprint: string;
  /** Its name at the code host. */
  name: string;
  request: Request;
}

/** Shows the merge or pull request with a change, and lets the person take the change out again. */
export function ChangeRequest({ fingerprint, name, request }: ChangeRequestProps) {
  const withdraw = useAct("DELETE /orgs/{id}/drift-changes/{fingerprint}/settlement");
  if (withdraw.isSuccess) {
    const left = withdraw.data.change_request ?? request;
    return (
      <Notice tone="neutral" title={`Change withdrawn from the ${name}`}>
        <Where name={name} request={left} />
      </Notice>
    );
  }
  const { status, problem } = request;
  const isOpen = status !== "refused" && status !== "closed";
  return (
    <Notice tone={isOpen ? "good" : "medium"} title={requestTitle(name, status)}>
      {problem !== undefined && <p>{sentence(problem)}</p>}
      <Where name={name} request={request} />
      {isOpen && (
        <>
          <p className="text-muted text-xs">
            It has all settlements of the source. Leeway updates it as drift changes, and never merges it.
          </p>
          <Button
            busy={withdraw.isPending}
            onClick={() => withdraw.mutate({ params: { fingerprint } })}
            className="mt-1 self-start"
          >
            Withdraw this change
          </Button>
        </>
      )}
      {withdraw.error && <Failure error={withdraw.error} />}
    </Notice>
  );
}

function Where({ name, request: { url, number, branch } }: Omit<ChangeRequestProps, "fingerprint">) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {url !== undefined && <OutLink to={url}>{number === undefined ? name : `${name} ${number}`}</OutLink>}
      <code className="font-mono text-xs leading-5 break-all">{branch}</code>
    </p>
  );
}
