import type { CaptureResult, OutputCapture, OutputCaptureOptions, Pipe } from "../output/capture.js";
import { createOutputCapture } from "../output/output-capture.js";
import { SecretMask } from "../output/secret-mask.js";
import { SpillFile } from "../output/spill-file.js";
import type { SpillBudget } from "../output/spill-budget.js";
import { openInSpillFolder } from "./spills/spill-folder.js";

export interface AfterOutputOptions extends Pick<
  OutputCaptureOptions,
  "clock" | "encoding" | "onUpdate" | "onDrain" | "onSpillFull"
> {
  /** Absent for no file. */
  readonly path: string | undefined;
  readonly maxBytes: number;
  readonly budget: SpillBudget | undefined;
  readonly secrets: readonly string[];
}

/**
 * Captures what processes print after the call that started them. Unlike a spill, which saves what a window cannot hold,
 * its file begins with the first byte: usually nobody looks at the window.
 */
export function createAfterOutput(options: AfterOutputOptions): OutputCapture {
  const { path, maxBytes, budget, secrets, clock, encoding, onUpdate, onDrain, onSpillFull: onFull } = options;
  const capture = createOutputCapture({ limits: undefined, secrets, clock, encoding, onUpdate, onDrain });
  if (path === undefined) return capture;
  const file = new SpillFile({ path, maxBytes, budget, openSpill: openInSpillFolder, onDrain, onFull });
  const masks = [new SecretMask(secrets), new SecretMask(secrets)] as const;

  function save(bytes: Uint8Array): boolean {
    if (bytes.length === 0) return true;
    const hasRoom = file.push(bytes);
    if (!file.isOpen) file.open();
    return hasRoom;
  }

  async function settle(): Promise<CaptureResult> {
    const [{ truncation }, spill] = await Promise.all([capture.settle(), file.finish()]);
    return spill === undefined ? { truncation } : { truncation, spill };
  }

  return {
    push(pipe: Pipe, bytes: Uint8Array) {
      capture.push(pipe, bytes);
      return save(masks[pipe].filter(bytes));
    },
    end(pipe: Pipe) {
      capture.end(pipe);
      save(masks[pipe].finish());
    },
    settle,
    snapshot: () => capture.snapshot(),
  };
}
