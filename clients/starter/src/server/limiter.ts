// Limits the actions of each visitor, in this process: cartd's own limit is the store's, and one visitor must not use it up.

const most = 60;
const window = 60_000;
const visitors = 10_000;

interface Count {
  since: number;
  actions: number;
}

const counts = new Map<string, Count>();

/** Counts an action of a visitor. Returns false if the visitor has had enough in this window. */
export function allow(address: string, now = Date.now()): boolean {
  const count = counts.get(address);
  if (count && now - count.since < window) return ++count.actions <= most;
  counts.delete(address); // the map is in the order of the windows' beginnings
  const [oldest] = counts.keys();
  if (oldest !== undefined && counts.size >= visitors) counts.delete(oldest);
  counts.set(address, { since: now, actions: 1 });
  return true;
}
