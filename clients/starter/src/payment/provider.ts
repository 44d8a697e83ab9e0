/** What the shop needs of a payment provider. Write one of these for yours, and name it in payment.ts. */
export interface Provider {
  /** Creates a payment of an order. Returns the address at which the customer pays; the customer comes back to `back`. */
  create(payment: { order: string; number: number; amount: number; currency: string; back: string }): Promise<string>;
  /** Reads a notification of the provider; null if it is not the provider's, or reports no paid payment. */
  paid(request: Request): Promise<Paid | null>;
  /**
   * Returns the money of a payment that came too late, twice, or with another amount than the order's. A provider notifies several times, so this is called
   * several times for one payment: return the money once, with `reference` as the provider's idempotency key.
   */
  giveBack(payment: Paid): Promise<void>;
}

/** A payment that the customer has made. `reference` is the provider's own id of it. */
export interface Paid {
  reference: string;
  order: string;
  amount: number;
}
