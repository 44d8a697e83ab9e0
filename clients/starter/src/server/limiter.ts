// Limits what each visitor does, in this process: cartd's own limits are the store's and the node's, and they protect cartd, not this server.

const window = 60_000;
const visitors = 10_000;

interface Count {
  since: number;
  times: number;
}

/** A limit of so many things a minute for each visitor. The function counts one, and returns false if the visitor has had enough. */
export function limit(most: number): (address: string, now?: number) => boolean {
  const counts = new Map<string, Count>();
  return (address, now = Date.now()) => {
    const visitor = network(address);
    const count = counts.get(visitor);
    if (count && now - count.since < window) return ++count.times <= most;
    counts.delete(visitor); // the map is in the order of the windows' beginnings
    const [oldest] = counts.keys();
    if (oldest !== undefined && counts.size >= visitors) counts.delete(oldest);
    counts.set(visitor, { since: now, times: 1 });
    return true;
  };
}

/** An IPv6 address counts by its /64, because one visitor has all of that. */
export function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail ? tail.split(":") : [];
  const whole = tail === undefined ? front : [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0"), ...back];
  return whole
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":");
}
