import { t } from "../shared/t.js";

interface Tracked {
  carrier: string | null;
  tracking_number: string | null;
  tracking_url: string | null;
}

/** With whom a parcel is on its way, and where it can be followed. */
export function Tracking({ of }: { of: Tracked }) {
  const number = of.tracking_url ? (
    <a href={of.tracking_url} rel="noreferrer">
      {of.tracking_number ?? t.order.follow}
    </a>
  ) : (
    of.tracking_number
  );
  return (
    <>
      {of.carrier && ` ${t.order.carrier(of.carrier)}`}
      {number && (
        <>
          {t.order.tracking} {number}
        </>
      )}
      .
    </>
  );
}
