import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { displayText } from "../format/display-text.js";
import { formatBytes, formatCount } from "../format/units.js";
import { ApiError } from "../host/api.js";
import type { Api, CallPlace } from "../host/api.js";
import { download, PREVIEW_BYTES, readPreview } from "./preview.js";
import type { Preview } from "./preview.js";
import { saveBlob } from "./save-blob.js";

interface FullOutputProps {
  readonly api: Api;
  readonly call: CallPlace;
}

type Shown =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "part"; readonly part: Preview };

/** All that a call wrote: a part of it as text, and the whole as a file. */
export function FullOutput({ api, call }: FullOutputProps) {
  const shown = useSignal<Shown>({ kind: "reading" });
  const show = async (start: number | "last"): Promise<void> => {
    try {
      shown.value = { kind: "part", part: await readPreview(api, call, start) };
    } catch (error) {
      shown.value = { kind: "failed", message: describeFailure(error) };
    }
  };
  useEffect(() => void show("last"), [call.toolCallId]);
  const { value } = shown;
  return (
    <section class="full-output" aria-label="Full output">
      {value.kind === "reading" && <p class="hint">Reading …</p>}
      {value.kind === "failed" && <p role="alert">{displayText(value.message)}</p>}
      {value.kind === "part" && (
        <>
          <div class="row-foot">
            <PartButtons part={value.part} onChoose={(start) => void show(start)} />
            <DownloadButton api={api} call={call} />
          </div>
          <PreviewText part={value.part} />
        </>
      )}
    </section>
  );
}

/** A part that ends where the output does is read from its end. */
function PreviewText({ part }: { readonly part: Preview }) {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (box.current === null) return;
    box.current.scrollTop = part.start > 0 && part.end >= part.totalBytes ? box.current.scrollHeight : 0;
  }, [part]);
  return (
    <pre class="preview-text" tabIndex={0} ref={box}>
      {part.text}
    </pre>
  );
}

function PartButtons({
  part,
  onChoose,
}: {
  readonly part: Preview;
  readonly onChoose: (start: number | "last") => void;
}) {
  const { start, end, totalBytes, complete } = part;
  const isFirst = start === 0;
  const isLast = end >= totalBytes;
  const button = (label: string, target: number | "last", isOff: boolean) => (
    <button type="button" class="button is-quiet" disabled={isOff} onClick={() => onChoose(target)}>
      {label}
    </button>
  );
  return (
    <>
      <span class="totals">
        bytes {formatCount(start)}–{formatCount(end)} of {formatBytes(totalBytes)}
        {complete ? "" : " · not complete"}
      </span>
      {button("First", 0, isFirst)}
      {button("Previous", Math.max(0, start - PREVIEW_BYTES), isFirst)}
      {button("Next", end, isLast)}
      {button("Last", "last", isLast && complete)}
    </>
  );
}

function DownloadButton({ api, call }: FullOutputProps) {
  const progress = useSignal("");
  const save = async (): Promise<void> => {
    try {
      progress.value = "Reading …";
      const blob = await download(api, call, (bytes, totalBytes) => {
        progress.value = `${formatBytes(bytes)} of ${formatBytes(totalBytes)}`;
      });
      saveBlob(blob, `${call.session}-${call.toolCallId}.log`);
      progress.value = `${formatBytes(blob.size)} saved`;
    } catch (error) {
      progress.value = describeFailure(error);
    }
  };
  return (
    <>
      <button type="button" class="button" onClick={() => void save()}>
        Download
      </button>
      <span role="status">{displayText(progress.value)}</span>
    </>
  );
}

function describeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  return error.code === "range_not_satisfiable" ? "Nothing was written." : error.message;
}
