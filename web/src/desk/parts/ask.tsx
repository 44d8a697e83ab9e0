import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Action } from "../../shared/load.js";
import { Form } from "../../shared/form.js";
import { t } from "../../shared/t.js";

/** Asks a second time for what cannot be undone, with all that belongs to it. Escape and the cross leave everything as it is. */
export function Ask({
  title,
  yes,
  action,
  values = [],
  danger,
  close,
  children,
}: {
  title: string;
  /** What the button says that does it. */
  yes: string;
  action: Action<FormData>;
  /** Names of the fields that show their refusals. */
  values?: string[];
  danger?: boolean;
  close: () => void;
  children?: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const from = document.activeElement;
    dialog.current!.showModal();
    return () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus();
      else document.querySelector<HTMLElement>("#main h1")?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog ref={dialog} class={`ask${danger ? " ask-danger" : ""}`} aria-label={title} onClose={close}>
      <div class="ask-head">
        <h2>{title}</h2>
        <button type="button" class="cross" aria-label={t.ask.leaveIt} onClick={() => dialog.current!.close()}>
          ×
        </button>
      </div>
      <Form action={action} values={values} label={yes}>
        {children}
      </Form>
    </dialog>
  );
}
