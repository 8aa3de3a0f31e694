import { formatAmount, formatBytes } from "../format/units.js";
import type { PlotPoint } from "./history.js";

const WIDTH = 288;
const HEIGHT = 96;

/** Sums of bytes over batches: what was sent, against what as many snapshots would have been. */
export function BytesPlot({ points }: { readonly points: readonly PlotPoint[] }) {
  const last = points.at(-1);
  if (last === undefined) return null;
  const most = Math.max(1, last.snapshotBytes, last.bytes);
  const line = (valueOf: (point: PlotPoint) => number): string =>
    [{ batches: 0, bytes: 0, snapshotBytes: 0 }, ...points]
      .map((point) => `${scale(point.batches, last.batches, WIDTH)},${HEIGHT - scale(valueOf(point), most, HEIGHT)}`)
      .join(" ");
  const snapshots = line((point) => point.snapshotBytes);
  const sent = line((point) => point.bytes);
  const label = `${formatBytes(last.bytes)} sent in ${formatAmount(last.batches, "batch", "batches")}; as snapshots ${formatBytes(last.snapshotBytes)}`;
  return (
    <figure class="plot">
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <polygon class="area is-snapshots" points={`${snapshots} ${WIDTH},${HEIGHT} 0,${HEIGHT}`} />
        <polyline class="line is-snapshots" points={snapshots} />
        <polygon class="area is-sent" points={`${sent} ${WIDTH},${HEIGHT} 0,${HEIGHT}`} />
        <polyline class="line is-sent" points={sent} />
      </svg>
      <figcaption>
        <span>0</span>
        <span>bytes, summed over {formatAmount(last.batches, "batch", "batches")}</span>
        <span>{formatBytes(most)}</span>
      </figcaption>
    </figure>
  );
}

function scale(value: number, most: number, length: number): number {
  return Math.round((value / Math.max(1, most)) * length * 100) / 100;
}
