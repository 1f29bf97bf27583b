import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from "react";

import { Button, IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { keepFocus } from "./focus.ts";
import { Failure } from "./states.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the end, the one that does it last. */
  actions?: ReactNode;
  /** Whether only its actions close it: it can't be called off any more, or what it shows can't be seen again. */
  isHeld?: boolean;
  /** Whether nothing of the page shows behind it. */
  isOpaque?: boolean;
}

/**
 * A dialog above the page, open for as long as it is rendered. It is the browser's own: it keeps the keyboard
 * inside, Escape closes it, and what had the focus gets it back, or what stands in its place.
 */
export function Dialog({ title, onClose, children, actions, isHeld = false, isOpaque = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Its end comes while the dialog is still in the page: later nothing gets the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    const giveFocus = keepFocus();
    element?.showModal();
    element?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    return () => {
      element?.close();
      giveFocus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      // Browsers that know it close for no second Escape either, which can't be prevented.
      closedby={isHeld ? "none" : "closerequest"}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      className={classNames(
        "bg-surface text-ink shadow-lift m-auto w-[min(34rem,calc(100vw-2rem))] rounded-2xl p-0",
        isOpaque && "backdrop:bg-page",
      )}
    >
      <div className="flex max-h-[min(44rem,calc(100dvh-4rem))] flex-col">
        <div className="flex items-center justify-between gap-4 px-5 pt-4 pb-1">
          <h2 id={heading} className="min-w-0 text-base font-semibold wrap-anywhere">
            {title}
          </h2>
          {!isHeld && (
            <IconButton label="Close" onClick={onClose}>
              <X className="size-4" />
            </IconButton>
          )}
        </div>
        <div className="flex flex-col gap-4 overflow-y-auto px-5 pt-1 pb-5 wrap-anywhere">{children}</div>
        {actions !== undefined && (
          <div className="border-line bg-page flex justify-end gap-2 border-t px-5 py-3">{actions}</div>
        )}
      </div>
    </dialog>
  );
}

interface FormDialogProps {
  title: string;
  /** What the button says: the deed itself. */
  deed: string;
  /** Its fields. */
  children: ReactNode;
  /** Whether what is in them is being done: it can't be called off any more. */
  busy: boolean;
  /** Why it failed, where no field tells. */
  error: unknown;
  /** Whether something is still missing that no field would tell of. */
  disabled?: boolean;
  /** Another way to go on, before the deed. */
  more?: ReactNode;
  form?: Ref<HTMLFormElement>;
  onSubmit: () => void;
  onClose: () => void;
}

/** Asks for what a deed needs, and stays open with the reason when it fails. */
export function FormDialog(props: FormDialogProps) {
  const { title, deed, children, busy, error, disabled = false, more, form, onSubmit, onClose } = props;
  const id = useId();
  return (
    <Dialog
      title={title}
      isHeld={busy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          {more}
          <Button kind="primary" type="submit" form={id} busy={busy} disabled={disabled}>
            {deed}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        className="flex flex-col gap-4"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
      {error ? <Failure error={error} /> : undefined}
    </Dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** What the button says: the deed itself. */
  deed: string;
  children: ReactNode;
  /** Whether something is still missing. */
  disabled?: boolean;
  act: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that can't be undone, and stays open with the reason when it fails. */
export function Confirm({ title, deed, children, disabled = false, act, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      isHeld={busy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind="danger" busy={busy} disabled={disabled} onClick={() => void confirm()}>
            {deed}
          </Button>
        </>
      }
    >
      <div className="text-muted">{children}</div>
      {error !== undefined && <Failure error={error} />}
    </Dialog>
  );
}
