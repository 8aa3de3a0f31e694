import { Component } from "preact";
import { formatBytes, formatCount } from "../format/units.js";
import type { OpenLane } from "../lane/open-lane.js";
import type { BatchTotals, ListedBatch } from "./history.js";
import { BytesPlot } from "./bytes-plot.js";

/** The batches of a lane as they arrive, and what snapshots would have cost in their place. */
export function BatchPanel({ lane, onClose }: { readonly lane: OpenLane; readonly onClose: () => void }) {
  const version = lane.version.value;
  const { totals, listed, points } = lane.history;
  return (
    <aside class="batches" aria-label="Batches" data-version={version}>
      <header class="batches-head">
        <h2>Batches</h2>
        <button type="button" class="button is-quiet" aria-label="Hide the batches" onClick={onClose}>
          ✕
        </button>
      </header>
      <Comparison totals={totals} />
      <BytesPlot points={points} />
      <table class="batch-list">
        <thead>
          <tr>
            <th scope="col">seq</th>
            <th scope="col">verbs</th>
            <th scope="col">bytes</th>
          </tr>
        </thead>
        <tbody>
          {listed.map((batch) => (
            <BatchLine key={batch.number} batch={batch} />
          ))}
        </tbody>
      </table>
      {listed.length === 0 && <p class="hint">None came yet.</p>}
    </aside>
  );
}

function Comparison({ totals }: { readonly totals: BatchTotals }) {
  const { batches, bases, bytes, snapshotBytes } = totals;
  const ratio = bytes === 0 ? 0 : snapshotBytes / bytes;
  return (
    <dl class="comparison">
      <div>
        <dt>
          <span class="key is-sent" aria-hidden="true" />
          sent
        </dt>
        <dd>{formatBytes(bytes)}</dd>
      </div>
      <div>
        <dt>
          <span class="key is-snapshots" aria-hidden="true" />
          as snapshots
        </dt>
        <dd>{formatBytes(snapshotBytes)}</dd>
      </div>
      <div>
        <dt>less by</dt>
        <dd>{ratio < 1.05 ? "–" : `${ratio < 10 ? ratio.toFixed(1) : formatCount(Math.round(ratio))}×`}</dd>
      </div>
      <div>
        <dt>batches</dt>
        <dd>
          {formatCount(batches)} <span class="minor">({formatCount(bases)} base)</span>
        </dd>
      </div>
    </dl>
  );
}

/** Drawn once: a batch that came does not change. */
class BatchLine extends Component<{ readonly batch: ListedBatch }> {
  override shouldComponentUpdate(next: { readonly batch: ListedBatch }): boolean {
    return next.batch !== this.props.batch;
  }

  override render({ batch }: { readonly batch: ListedBatch }) {
    return (
      <tr class={batch.isBase ? "is-base" : undefined}>
        <td>{batch.seq}</td>
        <td>{batch.verbs}</td>
        <td>{formatCount(batch.bytes)}</td>
      </tr>
    );
  }
}
