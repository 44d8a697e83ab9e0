// The address of a request.

/** The scheme and host of a server. Throws for any other text: a mistake that each request would repeat. */
export function originOf(url: string): string {
  const parsed = parse(url);
  if (parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`) return parsed.origin;
  const rule = "The url of a shop is a server's scheme and host, such as https://shop.example.com, without a path.";
  throw new TypeError(`${rule} It is not ${JSON.stringify(url)}.`);
}

/** URL.parse is missing in browsers of 2023. */
function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

/** A path with its ids and its query. */
export function addressOf(path: string, input: { path?: Record<string, string> | undefined; query?: object | undefined }): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.path?.[name] ?? ""));
  const query = new URLSearchParams(parametersOf(input.query ?? {})).toString();
  return query === "" ? filled : `${filled}?${query}`;
}

/**
 * The parameters of a query. `include` is one text with commas; a name that ends with [] is sent for each
 * value of its list; a map is sent as name[key], and name[key][] for each value of a list in it.
 */
function parametersOf(query: object): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => parameter(name, value));
}

function parameter(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return name === "include" ? [[name, value.join()]] : value.map((one) => [name, String(one)]);
  if (typeof value !== "object") return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, one]) => parameter(`${name}[${key}]${Array.isArray(one) ? "[]" : ""}`, one));
}
