import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { KEYS } from "./keyboard.js";

/** The keys, over the page. */
export function Help({ isOpen }: { readonly isOpen: Signal<boolean> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = isOpen.value;
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (isOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, action]) => (
          <div key={action}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" onClick={() => (isOpen.value = false)}>
        Close
      </button>
    </dialog>
  );
}
