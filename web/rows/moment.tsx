import { formatMoment } from "../format/units.js";

/** When a row was settled. */
export function Moment({ at }: { readonly at: number | undefined }) {
  if (at === undefined) return null;
  return (
    <time class="moment" dateTime={new Date(at).toISOString()}>
      {formatMoment(at, Date.now())}
    </time>
  );
}
